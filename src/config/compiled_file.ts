/**
 * A configuration file after it was read and checked: plain data, so that the hook can load it without a YAML reader.
 *
 * @module
 */

import type { Arguments, Behavior, Place } from "../call.ts";
import type { CompiledPolicy, Tier } from "../policy/compiled_policy.ts";

/** Raised whenever the shape of {@linkcode CompiledFile} changes, so that older caches are not read. */
export const COMPILED_FORMAT = 4;

/** One configuration file, checked. Lines count from 1. */
export interface CompiledFile {
  readonly path: string;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  readonly sha256: string;
  /** Whether the file says nothing at all. */
  readonly empty: boolean;
  readonly policy: CompiledRules | null;
  readonly guards: GuardSettings;
  readonly hooks: readonly HookSettings[];
  /** `null` when the file does not say. */
  readonly onAllow: "defer" | "approve" | null;
  /** Seconds the hook may take to judge; `null` when the file does not say. */
  readonly deadline: number | null;
  /** Where signals are kept: a file, a `postgres://` address, or `false` for nowhere; `null` when the file does not say. */
  readonly store: string | false | null;
  /** What is recorded of arguments; `null` when the file does not say. */
  readonly signalArguments: "full" | "redacted" | "none" | null;
  /** What to do when an agent stops with nothing to show; `null` when the file does not say. */
  readonly onStop: "record" | "warn" | "block" | null;
  readonly tests: readonly CompiledTest[];
}

/** A call and what should come of it. */
export interface CompiledTest {
  readonly name: string;
  readonly tool: string;
  readonly action: string;
  readonly args: Arguments;
  readonly expect: Behavior;
  readonly line: number;
}

/** A policy and where its parts stand in the file. */
export interface CompiledRules {
  readonly policy: CompiledPolicy;
  /** The preset's name, when the policy is one. */
  readonly preset: string | null;
  /** The line of the policy's mode (or of the policy, when the mode is not written). */
  readonly line: number;
  /** The line of every rule, by tier, canonical tool name and number. */
  readonly lines: Readonly<Record<Tier, Readonly<Record<string, readonly number[]>>>>;
  /** How many examples stand in the rules; all of them held when the file was compiled. */
  readonly examples: number;
  /** The lines of the rules that have such examples. */
  readonly tested: readonly number[];
}

/** What the file says of the built-in guards; `null` where it says nothing. */
export interface GuardSettings {
  readonly destructive: DestructiveSettings | null;
  readonly paths: PathSettings | null;
}

/** The guard against destructive commands. */
export interface DestructiveSettings {
  readonly enabled: boolean;
  /** `patterns` looks at the text of a command, `parsed` at what it would run. */
  readonly mode: "patterns" | "parsed";
  /** What to do about files that are written over and that git may not have. */
  readonly overwrite: "escalate" | "allow" | null;
  /** Whether local changes may be thrown away in a linked worktree of git. */
  readonly discardInLinkedWorktree: boolean | null;
  readonly line: number;
}

/** The guard of paths. Folders and patterns are as they are written; folders are relative to the file's own folder. */
export interface PathSettings {
  readonly enabled: boolean;
  readonly allowed: readonly string[] | null;
  readonly denied: readonly string[];
  readonly symlinks: "follow" | "refuse" | null;
  /** What to do about reading outside the allowed folders. */
  readonly outsideReads: "allow" | "escalate" | "deny" | null;
  readonly line: number;
}

/** A user's hook: an external command that gets every call of its tools. */
export interface HookSettings {
  readonly name: string;
  /** Canonical tool names; `["*"]` for all tools. */
  readonly tools: readonly string[];
  readonly command: readonly string[];
  /** Seconds. */
  readonly timeout: number;
  readonly line: number;
}

/** The place of a line in a compiled file. */
export function placeIn(file: CompiledFile, line: number): Place {
  return { file: file.path, line };
}
