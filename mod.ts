/**
 * gatehouse as a library: judge tool calls by a policy, compose hooks around tools, observe sessions.
 *
 * @module
 */

import type { AgentSpec } from "./src/agent/agent_spec.ts";
import { createAgent as createAgentOn, type CreateAgentOptions } from "./src/agent/create_agent.ts";
import { checkCompletionEvidence as checkCompletionEvidenceOn } from "./src/evidence/check_completion_evidence.ts";
import type { CompletionEvidence } from "./src/evidence/completion_evidence.ts";
import { probeRun as probeRunOn } from "./src/evidence/probe_run.ts";
import type { RunEvidence } from "./src/evidence/run_evidence.ts";
import { runtime } from "./src/runtime/current.ts";
import type { Branch } from "./src/session/branch.ts";
import type { OpenSqliteOptions } from "./src/store/open_sqlite.ts";
import {
  existingStore as existingStoreOn,
  openStore as openStoreOn,
} from "./src/store/open_store.ts";
import type { SignalStore } from "./src/store/port.ts";

export {
  type Arguments,
  type Behavior,
  type GateResult,
  PermissionError,
  type Place,
  type ReasonCode,
  type ToolCall,
  type Verdict,
} from "./src/call.ts";
export {
  type DecidingRule,
  type EscalationHandler,
  type Evaluation,
  type PermissionDecision,
  PermissionPolicy,
  type PermissionPolicyOptions,
} from "./src/policy/permission_policy.ts";
export {
  type CompiledPolicy,
  type RuleMap,
  type Tier,
  TIERS,
} from "./src/policy/compiled_policy.ts";
export { type NumberedRule, type RuleIndex, type WordNode } from "./src/policy/rule_index.ts";
export { type CommandRule, type ObjectRule, type PathRule } from "./src/policy/object_rule.ts";
export { type PresetName } from "./src/policy/presets.ts";
export { matchesWildcard } from "./src/policy/matches_wildcard.ts";
export {
  type ComposedPostHook,
  type ComposedPreHook,
  composePostHooks,
  composePreHooks,
  type PostHook,
  type PreHook,
} from "./src/hooks/compose.ts";
export { type DestructiveOptions, guardDestructive } from "./src/guards/destructive.ts";
export { type CommandTextOptions } from "./src/guards/command_text.ts";
export {
  type Observations,
  type ObservedFileSystem,
  observeFiles,
} from "./src/guards/observations.ts";
export { guardPaths } from "./src/guards/paths.ts";
export { type PathRulesOptions } from "./src/guards/path_rules.ts";
export { type PathStyle } from "./src/guards/absolute_path.ts";
export { type PathFileSystem } from "./src/guards/real_path.ts";
export { type GuardHook } from "./src/guards/guard_hook.ts";
export { runtime };
export type * from "./src/runtime/port.ts";

// What everything that has an identity is made of.
export { Element, type ElementInit } from "./src/signals/element.ts";

// Tools, and what runs around them.
export { Event, type EventStatus, type Execution, type InvokeOptions } from "./src/action/event.ts";
export { type McpCaller, type McpToolConfig, Tool, type ToolOptions } from "./src/action/tool.ts";
export { defineTool, type DefineToolOptions } from "./src/action/define_tool.ts";
export {
  type JsonSchema,
  type RequestSchema,
  type SchemaIssue,
  type ToolSchema,
} from "./src/action/tool_schema.ts";
export {
  type Callable,
  type CallContext,
  type ErrorProcessor,
  type Governance,
  type Postprocessor,
  type Preprocessor,
  type ProcessorContext,
  type ProcessorOptions,
  type Processors,
  type ProposedCall,
} from "./src/action/processors.ts";
export {
  type CallOutcome,
  FunctionCalling,
  type FunctionCallingOptions,
} from "./src/action/function_calling.ts";
export { ActionManager, type RegisterOptions, type ToolLike } from "./src/action/action_manager.ts";
export {
  ActionRequest,
  type ActionRequestInit,
  type ActionRequestLike,
} from "./src/action/action_request.ts";
export { ActionResponse, type ActionResponseInit } from "./src/action/action_response.ts";

// Sessions and their branches.
export {
  type GateOptions,
  Session,
  type SessionGate,
  type SessionOptions,
} from "./src/session/session.ts";
export { Branch, type BranchOptions } from "./src/session/branch.ts";
export { type ActOptions } from "./src/session/act.ts";
export {
  type BranchMessage,
  Message,
  type MessageInit,
  type MessageRole,
} from "./src/session/message.ts";
export { type ToolInvocation } from "./src/session/control.ts";

// Observation.
export {
  type EmissionContext,
  type Gate,
  type GateAnswer,
  type ObserverStats,
  SessionObserver,
  type SessionObserverOptions,
  type Subscriber,
} from "./src/session/observer.ts";
export {
  type ElementClass,
  type Filter,
  type FilterLike,
  type Predicate,
} from "./src/session/filter.ts";
export { DEFAULT_FLOW_CAPACITY } from "./src/session/observer.ts";
export { Signal, SIGNAL_SCHEMA_VERSION, type SignalInit } from "./src/signals/signal.ts";
export * from "./src/signals/lifecycle_signals.ts";
export {
  ArgumentsRewritten,
  type CallFacts,
  CompletionEvidenceFound,
  type ControlAnswer,
  decisionSignals,
  type EvidenceFacts,
  outcomeSignal,
  type RewrittenArguments,
  type SessionBeginning,
  SessionEnded,
  type SessionEnding,
  SessionStarted,
  ToolCompleted,
  ToolDecided,
  type ToolDecision,
  ToolFailed,
  type ToolOutcome,
  type ToolProposal,
  ToolProposed,
} from "./src/signals/tool_signals.ts";
export { type Lane, laneOf, TERMINAL_LANES } from "./src/signals/lane.ts";
export { PAYLOAD_BYTE_CAP } from "./src/signals/payload.ts";
export * from "./src/store/port.ts";
export { type OpenSqliteOptions } from "./src/store/open_sqlite.ts";
export { type ArgumentsMode } from "./src/signals/record.ts";
export { type SignalWriterOptions } from "./src/store/writer.ts";

// Agents, and the tools for them.
export {
  type AgentSettings,
  AgentSpec,
  type AgentSpecOptions,
  type CodingSpecOptions,
} from "./src/agent/agent_spec.ts";
export { type HookHandler, type HookHandlers, type HookKind } from "./src/agent/hook_handlers.ts";
export { type ErrorHook } from "./src/hooks/govern.ts";
export { type Permissions } from "./src/agent/permissions.ts";
export { type CreateAgentOptions } from "./src/agent/create_agent.ts";
export {
  CODING_TOOLS,
  codingTool,
  type CodingToolName,
  type CodingToolOptions,
} from "./src/tools/coding_tools.ts";
export { type ContextMessage, type ContextSource } from "./src/tools/context.ts";
export {
  type McpHttpServer,
  type McpServers,
  type McpServerSettings,
  type McpStdioServer,
} from "./src/tools/mcp_config.ts";
export {
  connectMcpServers,
  type McpConnections,
  type McpConnectOptions,
  type McpConnector,
  mcpConnector,
} from "./src/tools/mcp.ts";
export { reduceVerdict, type VerdictCircumstances } from "./src/hooks/reduce_verdict.ts";

/**
 * Makes an agent: a branch whose every tool, whenever and however it is registered, runs inside the specification's
 * controls and hooks (D2). Close the branch when it has MCP servers.
 *
 * @throws {Error} when settings, permissions or an MCP server cannot be used; then nothing is left running.
 *
 * @example
 * ```ts
 * import { AgentSpec, createAgent } from "@gatehouse/gatehouse";
 *
 * await using branch = await createAgent(AgentSpec.coding({ permissions: "read_only" }));
 * const response = await branch.act({ function: "bash", arguments: { command: "ls" } });
 * response.outcome; // "denied"
 * ```
 */
export function createAgent(spec: AgentSpec, options: CreateAgentOptions = {}): Promise<Branch> {
  return createAgentOn(runtime, spec, options);
}

/**
 * Opens a signal store (D5): an SQLite file, made when it is not there, or a PostgreSQL database.
 *
 * @param store The absolute path of the file, or a `postgres://` URL.
 * @param options How long to wait for others, and whether to make a file that is not there.
 * @throws {StoreError} when it cannot be opened.
 *
 * @example
 * ```ts
 * import { openStore, SessionObserver } from "@gatehouse/gatehouse";
 *
 * const store = await openStore("/tmp/signals.db");
 * const observer = new SessionObserver().bindPersistence("session-1", store);
 * await observer.emit({ step: 1 });
 * await observer.flush();
 * await store.read("session-1"); // one signal, with seq 1
 * ```
 */
export function openStore(store: string, options: OpenSqliteOptions = {}): Promise<SignalStore> {
  return openStoreOn(runtime, store, options);
}

/**
 * An opener for `bindPersistence` that opens a store only when it is there already (D5-5).
 *
 * @param store The absolute path of the file, or a `postgres://` URL.
 */
export function existingStore(store: string): () => Promise<SignalStore | null> {
  return existingStoreOn(runtime, store);
}

// What git shows of a run. Never part of a judgement.
export {
  type CompletionEvidence,
  hasCompletionEvidence,
} from "./src/evidence/completion_evidence.ts";
export type * from "./src/evidence/run_evidence.ts";
export { type Operation } from "./src/evidence/operation_in_progress.ts";

/**
 * Says from git whether a working tree shows work: uncommitted changes, or commits that its base does not have (D6).
 *
 * Asks fixed git commands, each for at most five seconds, and runs nothing of the repository's own. It never throws for
 * what it finds: where git cannot tell, `checked` is false and `reason` says why, which is no opinion and not "no work".
 *
 * @param cwd The folder to ask about; `null` when there is none.
 * @param options `baseRef`: the base, tried before the usual ones (D6-3).
 *
 * @example
 * ```ts
 * import { checkCompletionEvidence, hasCompletionEvidence } from "@gatehouse/gatehouse";
 *
 * const evidence = await checkCompletionEvidence(null);
 * hasCompletionEvidence(evidence); // false: no opinion
 * ```
 */
export function checkCompletionEvidence(
  cwd: string | null,
  options: { readonly baseRef?: string | null } = {},
): Promise<CompletionEvidence> {
  return checkCompletionEvidenceOn(cwd, { runtime, baseRef: options.baseRef ?? undefined });
}

/**
 * Says what a run added to a working tree: commits, changed and untracked files, and what became of them.
 *
 * @param cwd The folder to ask about.
 * @param options `since`: where the run began, a revision; `base`: the branch the work is for.
 */
export function probeRun(
  cwd: string,
  options: { readonly since?: string; readonly base?: string } = {},
): Promise<RunEvidence> {
  return probeRunOn(cwd, { runtime, ...options });
}

// Narrow facilities for data, logs and memory (D6). None of them is evidence.
export {
  type Adapter,
  AdapterError,
  type AdaptOptions,
  type FromOptions,
  type Subject,
  type ToOptions,
} from "./src/data/adapter.ts";
export { AdapterRegistry } from "./src/data/adapter_registry.ts";
export { defaultAdapters } from "./src/data/default_adapters.ts";
export { DataLogger, type DumpOptions } from "./src/data/data_logger.ts";
export { type DataLoggerConfig } from "./src/data/data_logger_config.ts";
export { type LogEntry } from "./src/data/log_entry.ts";
export type * from "./src/data/memory_store.ts";
export { InMemoryStore } from "./src/data/in_memory_store.ts";
export { SqliteMemoryStore } from "./src/data/sqlite_memory_store.ts";
