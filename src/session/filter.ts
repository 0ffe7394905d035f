import { Signal } from "../signals/signal.ts";
import type { Element } from "../signals/element.ts";

/** A class, as used with `instanceof`. */
// deno-lint-ignore no-explicit-any -- a constructor's parameters are of no interest, and only `any` takes them all
export type ElementClass<Instance = unknown> = abstract new (...args: any[]) => Instance;

/** Says of a payload whether it is wanted. */
export type Predicate = (payload: unknown) => boolean;

/**
 * What an observer or a route wants. Whatever is given must hold (AND); within a list one is enough (OR).
 */
export interface Filter {
  /** Classes; the event itself or its payload is an instance of one of them. */
  readonly types?: ElementClass | readonly ElementClass[];
  /** A predicate on the payload, or several that must all hold. One that throws does not hold. */
  readonly where?: Predicate | readonly Predicate[];
  /** Fields of the payload and the value each has, or a predicate on it. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Roles of the emitter. Only signals have one. */
  readonly roles?: string | readonly string[];
}

/** The short forms of a {@linkcode Filter}: a class, several of them, or a predicate on the payload. */
export type FilterLike = ElementClass | readonly ElementClass[] | Predicate | Filter;

/** The answer of a {@linkcode Matcher} to an event that is not wanted. */
export const NOT_WANTED: unique symbol = Symbol("not wanted");

/** As what an event is wanted: the event itself or its payload; {@linkcode NOT_WANTED} when it is not. */
export type Matcher = (event: Element, payload: unknown) => unknown;

/** What filters and the gate see of an event: a signal's data; any other element is its own payload (D5-1). */
export function payloadOf(event: Element): unknown {
  return event instanceof Signal ? event.data : event;
}

/**
 * Turns a filter into a function that is cheap to ask.
 *
 * Named by class, an event is handed on as what matched: the event itself, or else its payload. Without
 * a class it is the payload.
 */
export function matcher(filter: FilterLike): Matcher {
  const { types, where, fields, roles } = normalised(filter);
  const classes = listOf(types);
  const predicates = [...listOf(where), ...Object.entries(fields ?? {}).map(fieldPredicate)];
  const wantedRoles = roles === undefined ? null : listOf(roles);
  if (classes.length === 1 && predicates.length === 0 && wantedRoles === null) {
    // What nearly every subscriber asks, on the path of every emission.
    const [type] = classes;
    return (event, payload) =>
      event instanceof type ? event : payload instanceof type ? payload : NOT_WANTED;
  }
  return (event, payload) => {
    const subject = classes.length === 0 ? payload : instanceOfOne(event, payload, classes);
    if (subject === NOT_WANTED) return NOT_WANTED;
    if (wantedRoles !== null) {
      const role = event instanceof Signal ? event.emitterRole : null;
      if (role === null || !wantedRoles.includes(role)) return NOT_WANTED;
    }
    for (const predicate of predicates) if (!predicate(payload)) return NOT_WANTED;
    return subject;
  };
}

function instanceOfOne(
  event: Element,
  payload: unknown,
  classes: readonly ElementClass[],
): unknown {
  for (const type of classes) if (event instanceof type) return event;
  for (const type of classes) if (payload instanceof type) return payload;
  return NOT_WANTED;
}

function fieldPredicate([name, wanted]: [string, unknown]): Predicate {
  return (payload) => {
    if (typeof payload !== "object" || payload === null) return false;
    const value = (payload as Record<string, unknown>)[name];
    return typeof wanted === "function" ? Boolean(wanted(value)) : Object.is(value, wanted);
  };
}

function normalised(filter: FilterLike): Filter {
  if (typeof filter === "function") {
    return isClass(filter) ? { types: filter } : { where: filter as Predicate };
  }
  return Array.isArray(filter) ? { types: filter as readonly ElementClass[] } : filter as Filter;
}

/** A class's `prototype` cannot be written to; that of an ordinary function can, and an arrow has none. */
function isClass(value: ElementClass | Predicate): value is ElementClass {
  return Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value);
}

function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  return value === undefined ? [] : isList(value) ? value : [value];
}
