import { z } from "zod";

/** A JSON schema, as far as this room looks into it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A schema of arguments. Any zod schema is one; only what is used of it is named here.
 */
export interface RequestSchema<Output = unknown> {
  /** Checks a value, and gives what it came to or what is wrong with it. */
  safeParse(value: unknown): { readonly success: true; readonly data: Output } | {
    readonly success: false;
    readonly error: { readonly issues: readonly SchemaIssue[] };
  };
}

/** One thing that is wrong with arguments. */
export interface SchemaIssue {
  /** Where it stands. */
  readonly path: readonly PropertyKey[];
  /** What is wrong. */
  readonly message: string;
}

/** What a model is told of a tool. */
export interface ToolSchema {
  /** Always `function`. */
  readonly type: "function";
  /** The function, as models know it. */
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** The JSON schema of the arguments. */
    readonly parameters: JsonSchema;
  };
}

/** The schema of a tool that says nothing of its arguments. */
const ANY_ARGUMENTS: JsonSchema = { type: "object", properties: {}, additionalProperties: true };

/**
 * Builds what a model is told of a tool from its request schema (D3-2). Fields with a default are not required: the
 * schema describes what comes in.
 *
 * @throws {Error} when the request schema has no JSON form.
 */
export function toolSchemaOf(
  name: string,
  description: string,
  requestOptions: RequestSchema | null,
): ToolSchema {
  let parameters = ANY_ARGUMENTS;
  if (requestOptions !== null) {
    try {
      const { $schema: _dialect, ...schema } = z.toJSONSchema(
        requestOptions as unknown as z.ZodType,
        {
          io: "input",
        },
      );
      parameters = schema;
    } catch (cause) {
      throw new Error(
        `Cannot describe the tool ${name}: its request schema has no JSON form; give a toolSchema`,
        { cause },
      );
    }
  }
  return { type: "function", function: { name, description, parameters } };
}

/** Reads a schema written by hand: the whole form, or the JSON schema of the arguments alone. */
export function readToolSchema(
  given: ToolSchema | JsonSchema,
  name: string,
  description: string,
): ToolSchema {
  if (isToolSchema(given)) {
    return { ...given, function: { ...given.function, name, description } };
  }
  if (given.type !== "object") {
    throw new TypeError(
      `Cannot describe the tool ${name}: toolSchema must be a JSON schema with type "object", ` +
        `or { type: "function", function: { name, description, parameters } }`,
    );
  }
  return { type: "function", function: { name, description, parameters: given } };
}

/** Whether a schema is in the whole form. */
export function isToolSchema(given: ToolSchema | JsonSchema): given is ToolSchema {
  const inner = given.function;
  return given.type === "function" && typeof inner === "object" && inner !== null &&
    typeof (inner as { name?: unknown }).name === "string" &&
    typeof (inner as { parameters?: unknown }).parameters === "object" &&
    (inner as { parameters?: unknown }).parameters !== null;
}

/** The names that a schema requires (D3-2). */
export function requiredFields({ function: { parameters } }: ToolSchema): ReadonlySet<string> {
  const { required } = parameters;
  return new Set(
    Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
  );
}

/** The names no call can do without: what is required and has no default (D3-2). */
export function minimalFields(schema: ToolSchema): ReadonlySet<string> {
  const { properties } = schema.function.parameters;
  const described = (properties ?? {}) as Record<string, { default?: unknown } | undefined>;
  return new Set(
    [...requiredFields(schema)].filter((name) => described[name]?.default === undefined),
  );
}
