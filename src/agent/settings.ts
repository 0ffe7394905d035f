import { parse } from "yaml";
import { z } from "zod";
import type { Runtime } from "../runtime/port.ts";
import { addHook, type HookHandler, type HookHandlers, type HookKind } from "./hook_handlers.ts";
import { applyPermissions } from "./permissions.ts";

/** Where settings are read from, and what is trusted in them. */
export interface SettingsOptions {
  /** The project's folder. */
  readonly projectDir: string;
  /** Whether the project's own settings are read. */
  readonly trustProjectSettings: boolean;
  /** The modules whose hooks may be loaded: absolute paths. */
  readonly trustedHookModules: ReadonlySet<string>;
}

/** The file of a project's settings. */
export const PROJECT_SETTINGS = ".gatehouse/agent.yaml";

const hookMap = z.record(z.string(), z.array(z.string())).default({});

const settingsFile = z.strictObject({
  permissions: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  hooks: z.strictObject({ security_pre: hookMap, pre: hookMap, post: hookMap, error: hookMap })
    .partial().default({}),
});

/**
 * Adds the hooks and the policies of the settings files to an agent's: the user's `gatehouse/agent.yaml`, and the
 * project's `.gatehouse/agent.yaml` when it is trusted. Each policy is one more control, so that no file weakens another.
 *
 * @returns What the user of the agent must know.
 * @throws {Error} when a file cannot be understood, or names a hook of a module that is not trusted: an agent whose
 * controls could not be loaded is not made.
 */
export async function applySettings(
  runtime: Runtime,
  handlers: HookHandlers,
  options: SettingsOptions,
): Promise<string[]> {
  const notices: string[] = [];
  const configuration = runtime.env.get("XDG_CONFIG_HOME") || `${runtime.env.get("HOME")}/.config`;
  await applyFile(runtime, handlers, `${configuration}/gatehouse/agent.yaml`, options);
  const project = `${options.projectDir}/${PROJECT_SETTINGS}`;
  if (options.trustProjectSettings) await applyFile(runtime, handlers, project, options);
  else if (runtime.fs.exists(project)) {
    notices.push(`${project} was not read: the project's settings are not trusted`);
  }
  return notices;
}

async function applyFile(
  runtime: Runtime,
  handlers: HookHandlers,
  path: string,
  { trustedHookModules }: SettingsOptions,
): Promise<void> {
  const text = await readIfThere(runtime, path);
  if (text === null) return;
  let data: unknown;
  try {
    data = parse(text) ?? {};
  } catch (error) {
    throw new Error(`Cannot read ${path}: ${(error as Error).message}`);
  }
  const read = settingsFile.safeParse(data);
  if (!read.success) throw new Error(`Cannot read ${path}: ${z.prettifyError(read.error)}`);
  const folder = path.slice(0, path.lastIndexOf("/"));
  for (const [kind, tools] of Object.entries(read.data.hooks)) {
    for (const [tool, references] of Object.entries(tools)) {
      for (const reference of references) {
        const hook = await loadHook(path, folder, reference, trustedHookModules);
        addHook(handlers, kind as HookKind, tool, hook);
      }
    }
  }
  applyPermissions(handlers, read.data.permissions);
}

/** Loads `module.ts#name`; the module's path begins in the settings file's folder. */
async function loadHook(
  path: string,
  folder: string,
  reference: string,
  trusted: ReadonlySet<string>,
): Promise<HookHandler> {
  const [module, name, ...rest] = reference.split("#");
  if (module === "" || name === undefined || name === "" || rest.length > 0) {
    throw new Error(`Cannot load the hook ${reference} of ${path}: write it as module.ts#name`);
  }
  const location = new URL(module, fileUrl(`${folder}/`));
  const absolute = decodeURIComponent(location.pathname);
  if (location.protocol !== "file:" || !trusted.has(absolute)) {
    throw new Error(
      `Cannot load the hook ${reference} of ${path}: its module is not trusted; ` +
        `add ${JSON.stringify(absolute)} to trustedHookModules`,
    );
  }
  const exports: Record<string, unknown> = await import(location.href);
  const hook = exports[name];
  if (typeof hook !== "function") {
    throw new Error(
      `Cannot load the hook ${reference} of ${path}: the module has no such function`,
    );
  }
  return hook as HookHandler;
}

async function readIfThere(runtime: Runtime, path: string): Promise<string | null> {
  if (!runtime.fs.exists(path)) return null;
  return new TextDecoder().decode(await runtime.fs.readFile(path));
}

function fileUrl(path: string): string {
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}
