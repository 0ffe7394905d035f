/** A user's transform, as a program that gatehouse starts for each call: it rewrites some commands and fails on one. */

import { transformed } from "./scenarios.ts";

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { args } = JSON.parse(Buffer.concat(chunks).toString()) as { args: { command: string } };
const command = transformed(args.command);
if (command === null) throw new Error("the transform fails on purpose");
if (command !== undefined) console.log(JSON.stringify({ args: { ...args, command } }));
