import type { Function as FunctionNode } from "unbash";
import { sameDirectory, START_DIRECTORY, UNKNOWN_DIRECTORY } from "./directory.ts";
import type { Directory, EnvironmentChange, Span, WordPart } from "./facts.ts";
import { MAX_OTHER_DIRECTORIES } from "./limits.ts";
import type { Source } from "./source.ts";

/** What a variable holds, as far as the line says. */
export type Variable =
  /** A text, in parts; of an array the elements besides. */
  | {
    readonly kind: "set";
    readonly parts: readonly WordPart[];
    readonly elements: readonly (readonly WordPart[])[] | null;
    readonly exported: boolean;
  }
  | { readonly kind: "unset" }
  /** Something, but not known what. */
  | { readonly kind: "unknown"; readonly source: "variable" | "stdin-item" };

/** A function that the line defines. */
export interface FunctionBinding {
  readonly node: FunctionNode;
  readonly source: Source;
  /** Whether it was called; one that never was is read at the end. */
  called: boolean;
}

/** An alias that the line defines. */
export interface AliasBinding {
  readonly text: string;
  readonly span: Span;
}

/** A point to come back to. */
export interface Mark {
  readonly changes: number;
  readonly flags: Flags;
}

/** What a branch changed. */
export interface Branch {
  readonly changes: readonly Change[];
  readonly flags: Flags;
  readonly functions: readonly (readonly [string, FunctionBinding])[];
}

/** The small part of the state, replaced as a whole. */
export interface Flags {
  readonly directory: Directory;
  readonly otherDirectories: readonly Directory[];
  readonly previousDirectory: Directory;
  readonly directoryStack: readonly Directory[];
  readonly environment: readonly EnvironmentChange[];
  readonly positional: readonly (readonly WordPart[])[] | null;
  /** `set -e`. */
  readonly stopsOnError: boolean;
  /** `shopt -s expand_aliases`. */
  readonly expandsAliases: boolean;
}

const NONE: readonly never[] = Object.freeze([]);

/** What a shell knows when it starts. */
const START_FLAGS: Flags = Object.freeze({
  directory: START_DIRECTORY,
  otherDirectories: NONE,
  previousDirectory: UNKNOWN_DIRECTORY,
  directoryStack: NONE,
  environment: NONE,
  positional: NONE,
  stopsOnError: false,
  expandsAliases: false,
});

/** How many changed variables a command lists at most; the newest are kept. */
const MAX_ENVIRONMENT = 64;

type Change =
  | { readonly table: Map<string, Variable>; readonly key: string; readonly old?: Variable }
  | {
    readonly table: Map<string, FunctionBinding>;
    readonly key: string;
    readonly old?: FunctionBinding;
  }
  | {
    readonly table: Map<string, AliasBinding>;
    readonly key: string;
    readonly old?: AliasBinding;
  };

/**
 * What the shell would remember at a point of the line: variables, functions, aliases, the folder.
 *
 * Every change is logged, so that a subshell is undone and a branch is made uncertain in time
 * proportional to what it changed.
 */
export class ShellState {
  // Most lines change one of these tables or none; the others are never made.
  private variableTable: Map<string, Variable> | undefined;
  private functionTable: Map<string, FunctionBinding> | undefined;
  private aliasTable: Map<string, AliasBinding> | undefined;
  private readonly changes: Change[] = [];
  flags: Flags = START_FLAGS;

  private get variables(): Map<string, Variable> {
    return this.variableTable ??= new Map();
  }

  private get functions(): Map<string, FunctionBinding> {
    return this.functionTable ??= new Map();
  }

  private get aliases(): Map<string, AliasBinding> {
    return this.aliasTable ??= new Map();
  }

  /** Remembers this point. */
  mark(): Mark {
    return { changes: this.changes.length, flags: this.flags };
  }

  /** Undoes all since a point, as the end of a subshell does. */
  restore(mark: Mark): void {
    while (this.changes.length > mark.changes) undo(this.changes.pop()!);
    this.flags = mark.flags;
  }

  /**
   * Makes uncertain what was changed since a point, as at the end of a list that may have stopped.
   *
   * @returns How many changes there were.
   */
  blur(mark: Mark): number {
    const count = this.changes.length - mark.changes;
    if (count > 0) this.blurVariables(this.changes.slice(mark.changes));
    if (this.flags === mark.flags) return count;
    this.blurFlags(mark.flags);
    this.mayAlsoBeIn(mark.flags);
    return count;
  }

  /** Undoes all since a point, and remembers what it was, for `join`. */
  leaveBranch(mark: Mark): Branch {
    const changes = this.changes.slice(mark.changes);
    const { flags } = this;
    const functions: [string, FunctionBinding][] = [];
    for (const { table, key } of changes) {
      const binding = table === this.functionTable ? this.functionTable.get(key) : undefined;
      if (binding !== undefined) functions.push([key, binding]);
    }
    this.restore(mark);
    return { changes, flags, functions };
  }

  /**
   * Says that a branch may have run: what it changed is uncertain.
   *
   * @returns How many changes there were.
   */
  join({ changes, flags, functions }: Branch): number {
    const { environment } = this.flags;
    for (const [name, binding] of functions) this.setFunction(name, binding);
    this.blurFlags(flags);
    if (flags.environment !== environment) {
      this.flags = {
        ...this.flags,
        environment: [...environment, ...flags.environment].slice(-MAX_ENVIRONMENT),
      };
    }
    if (flags.expandsAliases) this.flags = { ...this.flags, expandsAliases: true };
    this.mayAlsoBeIn(flags);
    return this.blurVariables(changes);
  }

  private blurVariables(changes: readonly Change[]): number {
    for (const { table, key } of changes) {
      if (table === this.variableTable) {
        this.setVariable(key, { kind: "unknown", source: "variable" });
      }
    }
    return changes.length;
  }

  private blurFlags({ positional, directoryStack }: Flags): void {
    if (this.flags.positional !== positional) this.flags = { ...this.flags, positional: null };
    if (this.flags.directoryStack !== directoryStack) {
      this.flags = { ...this.flags, directoryStack: NONE };
    }
  }

  /** Says that the folder may also still be that of other flags. */
  mayAlsoBeIn(flags: Flags): void {
    if (this.flags.directory === flags.directory) return;
    const others = [...this.flags.otherDirectories];
    for (const directory of [flags.directory, ...flags.otherDirectories]) {
      if (sameDirectory(directory, this.flags.directory)) continue;
      if (!others.some((other) => sameDirectory(other, directory))) others.push(directory);
    }
    this.flags = { ...this.flags, otherDirectories: capDirectories(others) };
  }

  variable(name: string): Variable | undefined {
    return this.variableTable === undefined ? undefined : this.variableTable.get(name);
  }

  setVariable(name: string, value: Variable): void {
    this.set(this.variables, name, value);
  }

  /** The names of all variables that the line has set. */
  variableNames(): string[] {
    return this.variableTable === undefined ? [] : [...this.variableTable.keys()];
  }

  function(name: string): FunctionBinding | undefined {
    return this.functionTable === undefined ? undefined : this.functionTable.get(name);
  }

  setFunction(name: string, binding: FunctionBinding): void {
    this.set(this.functions, name, binding);
  }

  allFunctions(): readonly (readonly [string, FunctionBinding])[] {
    return this.functionTable === undefined ? NONE : [...this.functionTable];
  }

  alias(name: string): AliasBinding | undefined {
    return this.aliasTable === undefined ? undefined : this.aliasTable.get(name);
  }

  setAlias(name: string, binding: AliasBinding): void {
    this.set(this.aliases, name, binding);
  }

  /** Lists a variable that the line sets, for the commands after it. */
  addEnvironment(change: EnvironmentChange): void {
    const environment = [...this.flags.environment, change].slice(-MAX_ENVIRONMENT);
    this.flags = { ...this.flags, environment };
  }

  /**
   * Becomes the state of a shell that is started as a program: it has the exported variables and none of
   * the functions and aliases. Undone by `restore`.
   *
   * @returns How many variables there were.
   */
  becomeChild(positional: readonly (readonly WordPart[])[]): number {
    for (const [name, variable] of this.variables) {
      if (variable.kind !== "set" || variable.exported) continue;
      this.setVariable(name, { kind: "unknown", source: "variable" });
    }
    for (const name of this.functions.keys()) this.unset(this.functions, name);
    for (const name of this.aliases.keys()) this.unset(this.aliases, name);
    this.flags = { ...this.flags, positional, stopsOnError: false, expandsAliases: false };
    return this.variables.size;
  }

  /** Becomes the state of a shell on another machine. Undone by `restore`. */
  becomeRemote(): void {
    for (const name of this.variables.keys()) this.unset(this.variables, name);
    for (const name of this.functions.keys()) this.unset(this.functions, name);
    for (const name of this.aliases.keys()) this.unset(this.aliases, name);
    this.flags = { ...START_FLAGS, directory: UNKNOWN_DIRECTORY };
  }

  private set<V extends Variable | FunctionBinding | AliasBinding>(
    table: Map<string, V>,
    key: string,
    value: V,
  ): void {
    this.changes.push({ table, key, old: table.get(key) } as unknown as Change);
    table.set(key, value);
  }

  private unset<V extends Variable | FunctionBinding | AliasBinding>(
    table: Map<string, V>,
    key: string,
  ): void {
    this.changes.push({ table, key, old: table.get(key) } as unknown as Change);
    table.delete(key);
  }
}

function undo({ table, key, old }: Change): void {
  if (old === undefined) table.delete(key);
  else (table as Map<string, unknown>).set(key, old);
}

function capDirectories(directories: readonly Directory[]): readonly Directory[] {
  return directories.length <= MAX_OTHER_DIRECTORIES
    ? directories
    : [...directories.slice(0, MAX_OTHER_DIRECTORIES - 1), UNKNOWN_DIRECTORY];
}
