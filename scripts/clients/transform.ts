/** A user's transform, as a program that gatehouse starts twice for each call: it rewrites some commands and fails on one. */

import { setTimeout } from "node:timers/promises";
import { transformed } from "./scenarios.ts";

/** Long enough for the other transform to overtake it, if it could. */
const SLOW_MS = 300;

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { args } = JSON.parse(Buffer.concat(chunks).toString()) as { args: { command: string } };
const [which] = process.argv.slice(2);
if (which === "slow" && /racing/.test(args.command)) await setTimeout(SLOW_MS);
const command = transformed(args.command, which);
if (command === null) throw new Error("the transform fails on purpose");
if (command !== undefined) console.log(JSON.stringify({ args: { ...args, command } }));
