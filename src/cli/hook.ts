/**
 * `gatehouse hook CLIENT`: reads a client's payload, judges it, answers. Called once for every tool call, so this file
 * and what it imports is kept small.
 *
 * @module
 */

import { compareBehaviors, type Verdict } from "../call.ts";
import { claudeCode } from "../clients/claude_code.ts";
import type { Answer, AnswerOptions, Client, ClientEvent } from "../clients/client.ts";
import {
  type Configuration,
  loadConfiguration,
  loadUserConfiguration,
  type UserConfiguration,
} from "../config/load_configuration.ts";
import { lastSaid } from "../config/setting.ts";
import { reduceVerdict } from "../hooks/reduce_verdict.ts";
import { createJudge } from "../judge/judge.ts";
import type { Runtime } from "../runtime/port.ts";
import type { EvidenceFacts } from "../signals/tool_signals.ts";

/** How many bytes of payload are read: more is refused, whatever it says. */
export const INPUT_LIMIT = 8 * 1_048_576;

/** Bytes of a payload up to which nothing in its judgement is repeated so often that compiling would be worth its time. */
const SHORT_PAYLOAD = 8 * 1_024;

/** Milliseconds a judgement may take when the configuration does not say: less than any client waits. */
const DEFAULT_DEADLINE_MS = 5_000;

/** The exit code that stops a tool in every client, as long as standard error has a text. */
const REFUSED = 2;

const CLIENTS = "claude-code, codex, gemini, opencode, copilot";

/** A client by its name. The one that asks most often is loaded with the hook, the others when they ask. */
async function clientOf(name: string): Promise<Client> {
  switch (name) {
    case "codex":
      return (await import("../clients/codex.ts")).codex;
    case "gemini":
      return (await import("../clients/gemini.ts")).gemini;
    case "opencode":
      return (await import("../clients/opencode.ts")).opencode;
    case "copilot":
      return (await import("../clients/copilot.ts")).copilot;
    default:
      throw new Error(
        `\`gatehouse hook\` needs one of the clients ${CLIENTS}, not ${name || "nothing"}`,
      );
  }
}

/** What the hook came to: what is printed, and what there is to record. */
interface Outcome {
  readonly answer: Answer;
  readonly seen: Seen | null;
}

/** What was seen and decided, when the payload could be read. */
interface Seen {
  readonly client: Client;
  readonly event: ClientEvent;
  readonly verdicts: readonly Verdict[];
  readonly configuration: Configuration;
  readonly evidence: EvidenceFacts | null;
}

/**
 * Runs the hook. Whatever happens, the client gets an answer that it honours: a failure of any kind is a refusal.
 *
 * @returns The exit code.
 */
export async function runHook(runtime: Runtime, args: readonly string[]): Promise<number> {
  let client: Client | null = null;
  const refuse = (reason: string): Answer =>
    client?.refuse(`gatehouse: ${reason}`) ??
      { stdout: "", stderr: `gatehouse: ${reason}\n`, exitCode: REFUSED };
  let ending = null as Promise<void> | null;
  const refuseAndEnd = (reason: string): void => {
    const answer = refuse(reason);
    ending ??= print(runtime, answer).finally(() => runtime.env.exit(answer.exitCode));
  };
  runtime.env.onCrash((error) => refuseAndEnd(`the hook itself failed: ${messageOf(error)}`));
  const deadline = startDeadline(
    runtime,
    (ms) => refuseAndEnd(`the judgement took longer than ${ms} ms, so the call is refused`),
  );
  let answer: Answer;
  let seen: Seen | null = null;
  try {
    const options = readOptions(args);
    client = options.client === "claude-code" ? claudeCode : await clientOf(options.client);
    ({ answer, seen } = await judgePayload(runtime, client, options, deadline));
  } catch (error) {
    answer = refuse(messageOf(error));
  }
  deadline.stop();
  // The refusal is being printed already, and ends the process: a second answer would spoil it.
  if (ending !== null) await ending;
  if (answer.stdout !== "" || answer.stderr !== "") await print(runtime, answer);
  if (seen !== null) {
    const store = lastSaid(seen.configuration, (file) => file.store);
    if (store !== false) await record(runtime, seen, store, deadline.elapsed());
  }
  return answer.exitCode;
}

/** After the answer is out: what is written down changes nothing of it. */
async function record(
  runtime: Runtime,
  seen: Seen,
  store: string | null,
  durationMs: number,
): Promise<void> {
  const { client, event, verdicts, configuration, evidence } = seen;
  const { recordEvent } = await import("./record_event.ts");
  await recordEvent(runtime, {
    client: client.name,
    event,
    verdicts,
    durationMs,
    ...(evidence === null ? {} : { evidence }),
    ...(store === null ? {} : { store }),
    arguments: lastSaid(configuration, (file) => file.signalArguments) ?? undefined,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface HookOptions extends AnswerOptions {
  readonly client: string;
  readonly config: string | undefined;
}

function readOptions(args: readonly string[]): Omit<HookOptions, "onAllow"> {
  let client: string | undefined;
  let config: string | undefined;
  let onScreen = false;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index];
    if (argument === "--config") {
      config = args[++index];
      if (config === undefined) throw new Error("--config needs the path of a file");
    } else if (argument === "--on-screen") onScreen = true;
    else if (client === undefined && !argument.startsWith("-")) client = argument;
    else throw new Error(`unknown argument ${argument} of \`gatehouse hook\``);
  }
  return { client: client ?? "", config, onScreen };
}

async function judgePayload(
  runtime: Runtime,
  client: Client,
  options: Omit<HookOptions, "onAllow">,
  deadline: Deadline,
): Promise<Outcome> {
  if (runtime.env.runtimeOptions.length > 0) {
    throw new Error(
      `the runtime was given options from outside (${runtime.env.runtimeOptions.join(" ")}), so ` +
        `this may not be gatehouse at all; unset BUN_OPTIONS`,
    );
  }
  const input = runtime.stdio.readInput(INPUT_LIMIT);
  // While the input is on its way. A failure is told when the configuration is asked for.
  const user = options.config === undefined ? loadUserConfiguration(runtime) : undefined;
  user?.catch(() => {});
  const bytes = await input;
  if (bytes.length <= SHORT_PAYLOAD) runtime.env.runsOnce();
  const payload = parsePayload(bytes);
  const event = client.read(payload, runtime.env);
  if (event.moment !== "before-tool") {
    return await observe(runtime, client, event, { ...options, user }, deadline);
  }
  const configuration = await loadConfiguration(runtime, {
    cwd: event.cwd,
    config: options.config,
    user,
  });
  deadline.set(deadlineOf(configuration));
  const judge = createJudge(runtime, configuration);
  const verdicts: Verdict[] = [];
  const forbidden = await client.forbids?.(event) ?? null;
  for (const call of event.calls) {
    verdicts.push(
      forbidden === null
        ? await judge(call)
        : reduceVerdict([forbidden], { args: call.args, rewritten: false }),
    );
  }
  if (verdicts.length === 0) throw new Error("the payload names no call to judge");
  const answer = client.write(strictestOf(verdicts), event, {
    onAllow: onAllowOf(configuration),
    onScreen: options.onScreen,
  });
  return { answer, seen: { client, event, verdicts, configuration, evidence: null } };
}

/** A moment at which nothing is judged. Its failure is no refusal: it would stop what is over already. */
async function observe(
  runtime: Runtime,
  client: Client,
  event: ClientEvent,
  options: Omit<HookOptions, "onAllow"> & { readonly user: Promise<UserConfiguration> | undefined },
  deadline: Deadline,
): Promise<Outcome> {
  const noOpinion: Answer = { stdout: "", stderr: "", exitCode: 0 };
  try {
    const { observeMoment, STOP_DEADLINE_MS } = await import("./observe_event.ts");
    deadline.set(STOP_DEADLINE_MS);
    const configuration = await loadConfiguration(runtime, {
      cwd: event.cwd,
      config: options.config,
      user: options.user,
    });
    const { answer, evidence } = await observeMoment(runtime, client, event, configuration);
    return {
      answer: answer ?? noOpinion,
      seen: { client, event, verdicts: [], configuration, evidence },
    };
  } catch {
    return { answer: noOpinion, seen: null };
  }
}

function parsePayload(bytes: Uint8Array): unknown {
  if (bytes.length > INPUT_LIMIT) {
    throw new Error(`the payload is longer than ${INPUT_LIMIT} bytes, so the call is refused`);
  }
  let text: string;
  try {
    // A byte order mark is dropped by the decoder.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("the payload is not UTF-8 text, so the call is refused");
  }
  if (text.trim() === "") throw new Error("the payload is empty, so the call is refused");
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the payload is not JSON, or nested too deep, so the call is refused");
  }
}

/**
 * Several calls of one event (a patch of several files) have the strictest of their verdicts; of equals one that was
 * rewritten, so that a rewrite of any of them is not lost and the original does not run.
 */
function strictestOf(verdicts: readonly Verdict[]): Verdict {
  let strictest = verdicts[0];
  for (const verdict of verdicts) {
    const order = compareBehaviors(verdict.behavior, strictest.behavior);
    if (order > 0 || (order === 0 && verdict.rewritten && !strictest.rewritten)) {
      strictest = verdict;
    }
  }
  return strictest;
}

/** `approve` needs a trusted file that says so, and no trusted file that says otherwise. */
function onAllowOf(configuration: Configuration): "defer" | "approve" {
  let answer: "defer" | "approve" = "defer";
  for (const { trusted, file } of configuration.layers) {
    if (!trusted) continue;
    if (file.onAllow === "defer") return "defer";
    if (file.onAllow === "approve") answer = "approve";
  }
  return answer;
}

function deadlineOf(configuration: Configuration): number {
  const seconds = lastSaid(configuration, ({ deadline }) => deadline);
  return seconds === null ? DEFAULT_DEADLINE_MS : seconds * 1_000;
}

/** A time limit that can be changed while it runs. */
interface Deadline {
  /** Sets the limit, in milliseconds since the beginning. */
  set(ms: number): void;
  /** Milliseconds since the beginning. */
  elapsed(): number;
  /** Nothing is late any more. */
  stop(): void;
}

/** Starts the default time limit. @param late Called with the limit when it has passed. */
function startDeadline({ env }: Runtime, late: (ms: number) => void): Deadline {
  const start = env.elapsed();
  const elapsed = () => env.elapsed() - start;
  let limit = DEFAULT_DEADLINE_MS;
  let timer = setTimeout(() => late(limit), limit);
  return {
    set(ms) {
      if (ms === limit) return;
      limit = ms;
      clearTimeout(timer);
      timer = setTimeout(() => late(limit), limit - elapsed());
    },
    elapsed,
    stop: () => clearTimeout(timer),
  };
}

/** A client that no longer listens must not turn a refusal into a crash: the exit code still says it. */
async function print(runtime: Runtime, answer: Answer): Promise<void> {
  try {
    if (answer.stderr !== "") await runtime.stdio.writeError(answer.stderr);
    if (answer.stdout !== "") await runtime.stdio.writeOutput(answer.stdout);
  } catch {
    // Nobody reads it.
  }
}
