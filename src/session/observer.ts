import { Element } from "../signals/element.ts";
import { GateDenied } from "../signals/lifecycle_signals.ts";
import { Signal } from "../signals/signal.ts";
import type { SignalStore } from "../store/port.ts";
import { SignalWriter, type SignalWriterOptions } from "../store/writer.ts";
import {
  type ElementClass,
  type FilterLike,
  type Matcher,
  matcher,
  NOT_WANTED,
  payloadOf,
  type Predicate,
} from "./filter.ts";
import { Ring } from "./ring.ts";

/** How many events the flow, and each stream, keeps: hours of a busy session, tens of megabytes at most. */
export const DEFAULT_FLOW_CAPACITY = 10_000;

/** A session's one callback (D4). Truthy allows; falsy, or throwing, denies. */
export type Gate = (payload: unknown) => GateAnswer | Promise<GateAnswer>;
/** What a gate may answer. Nothing is a denial. */
export type GateAnswer = boolean | null | undefined;

/** What a subscriber is told besides the event. */
export interface EmissionContext {
  /** The event as it stands in the flow. */
  readonly event: Element;
  /** What filters and the gate saw of it: a signal's data, or the event itself. */
  readonly payload: unknown;
  /** The observer that emits it. */
  readonly observer: SessionObserver;
  /** The session the observer belongs to; `null` for one of its own. */
  readonly session: unknown;
}

/**
 * Reacts to an event. `subject` is what the filter's class matched, the event or its payload; without a
 * class it is the payload. What it returns is part of what `emit` returns.
 */
// deno-lint-ignore no-explicit-any -- a subscriber says itself what it takes; its filter is the check
export type Subscriber<Subject = any> = (subject: Subject, context: EmissionContext) => unknown;

/** How a {@linkcode SessionObserver} is made. */
export interface SessionObserverOptions {
  /** The session it belongs to, handed to subscribers. */
  readonly session?: unknown;
  /** How many events the flow and each stream keep. Default {@linkcode DEFAULT_FLOW_CAPACITY}. */
  readonly capacity?: number;
  /** Is told of a subscriber, a filter or a route that threw. Must not throw; when it does, that is ignored. */
  readonly onError?: (error: unknown, event: Element) => void;
}

/** What an observer counts. */
export interface ObserverStats {
  /** Events kept in the flow. */
  readonly events: number;
  /** Events that left the flow to make room. */
  readonly dropped: number;
  /** Emissions and authorisations that the gate denied. */
  readonly denied: number;
  /** Subscribers, filters and routes that threw. */
  readonly failures: number;
}

/**
 * Typed observation of a session, and its gate (D4, D5).
 *
 * `emit` asks the gate, keeps the event in the in-memory flow, adds it to the streams whose route it
 * matches, and gives it to the subscribers, one after the other in the order they came. A denied event is
 * kept in the flow and goes no further. Everything here is in memory: a restarted program builds it
 * again (D4-10, D5-11); only what `bindPersistence` wrote remains.
 *
 * **A subscriber that throws** stops nobody: the others have their turn, `emit` does not reject, its
 * result lacks that subscriber's value, and the failure is counted and told to `onError`.
 *
 * @example
 * ```ts
 * const observer = new SessionObserver();
 * observer.observe(NodeFailed, (signal) => console.error(signal.data.name));
 * observer.route({ fields: { behavior: "deny" } }, { into: "denials" });
 * await observer.emit(new NodeFailed({ data: { opId: "1", name: "build" } }));
 * ```
 */
export class SessionObserver {
  /** The session it belongs to; `null` for one of its own. */
  readonly session: unknown;
  readonly #flow: Ring<Element>;
  readonly #streams = new Map<string, Ring<Element>>();
  readonly #onError: ((error: unknown, event: Element) => void) | undefined;
  // Both lists are replaced, never changed: an emission goes on with the list it began with.
  #subscriptions: readonly Subscription[] = [];
  #routes: readonly Route[] = [];
  #gate: Gate | null = null;
  #denied = 0;
  #failures = 0;
  #persistence: { readonly writer: SignalWriter; readonly subscriber: Subscriber } | null = null;

  /** Makes an observer without a gate. */
  constructor(options: SessionObserverOptions = {}) {
    this.session = options.session ?? null;
    this.#flow = new Ring(options.capacity ?? DEFAULT_FLOW_CAPACITY);
    this.#onError = options.onError;
  }

  /**
   * Subscribes to the events a filter wants.
   *
   * @param filter A class, several classes, a predicate on the payload, or a {@linkcode FilterLike} record whose parts must all hold.
   * @param subscriber What to call. Left out, a function is returned that subscribes what it is given and returns it, to be used as a decorator.
   * @returns The subscriber, so that it can be handed to {@linkcode SessionObserver.unobserve}.
   */
  observe<Handler extends Subscriber>(where: Predicate, subscriber: Handler): Handler;
  /** Subscribes by a class: the subscriber gets instances of it. */
  observe<Subject, Handler extends Subscriber<Subject>>(
    filter: ElementClass<Subject>,
    subscriber: Handler & Subscriber<Subject>,
  ): Handler;
  /** Subscribes by any filter. */
  observe<Handler extends Subscriber>(filter: FilterLike, subscriber: Handler): Handler;
  /** Gives a decorator that subscribes by a class. */
  observe<Subject>(
    filter: ElementClass<Subject>,
  ): <Handler extends Subscriber<Subject>>(subscriber: Handler) => Handler;
  /** Gives a decorator that subscribes by any filter. */
  observe(filter: FilterLike): <Handler extends Subscriber>(subscriber: Handler) => Handler;
  observe(filter: FilterLike, subscriber?: Subscriber): unknown {
    const matches = matcher(filter);
    const subscribe = <Handler extends Subscriber>(handler: Handler): Handler => {
      this.#subscriptions = [...this.#subscriptions, { matches, subscriber: handler }];
      return handler;
    };
    return subscriber === undefined ? subscribe : subscribe(subscriber);
  }

  /**
   * Ends every subscription of a subscriber.
   *
   * @returns Whether it had one.
   */
  unobserve(subscriber: Subscriber): boolean {
    const before = this.#subscriptions.length;
    this.#subscriptions = this.#subscriptions.filter((one) => one.subscriber !== subscriber);
    return this.#subscriptions.length < before;
  }

  /** Adds every event that the condition wants to a named stream from now on. */
  route(condition: FilterLike, options: { into: string }): this {
    this.#routes = [...this.#routes, { matches: matcher(condition), into: options.into }];
    return this;
  }

  /** The events of a named stream, oldest first; empty when nothing was routed there. */
  stream(name: string): Element[] {
    return this.#streams.get(name)?.toArray() ?? [];
  }

  /** The events in the flow, oldest first. */
  get flow(): readonly Element[] {
    return this.#flow.toArray();
  }

  /** What the flow has of a class, oldest first: events that are of it, and payloads that are. */
  byType<Instance>(type: ElementClass<Instance>): Instance[] {
    const found: Instance[] = [];
    for (const event of this.#flow) {
      if (event instanceof type) {
        found.push(event as Instance);
      } else {
        const payload = payloadOf(event);
        if (payload instanceof type) found.push(payload as Instance);
      }
    }
    return found;
  }

  /**
   * Installs the gate, in the place of the one before: there is one, and no composition (D4-1).
   *
   * The same gate is asked about tool invocations by `authorize` and about payloads by `emit` (D4-11).
   */
  gate(check: Gate): this {
    this.#gate = check;
    return this;
  }

  /** Removes the gate: everything is allowed again. */
  clearGate(): this {
    this.#gate = null;
    return this;
  }

  /** Whether a gate is installed. */
  get gated(): boolean {
    return this.#gate !== null;
  }

  /**
   * Asks the gate about a proposed action (D4-3, D4-4).
   *
   * A denial adds `GateDenied` to the flow and to nothing else: no route, no subscriber and no store
   * sees it (D4-5, D5-4).
   *
   * @returns `true` without a gate; else what the gate answered as a boolean. A gate that throws denies.
   */
  async authorize(action: unknown): Promise<boolean> {
    if (this.#gate === null || await this.#allowed(this.#gate, action)) return true;
    this.#denied++;
    this.#flow.push(new GateDenied({ data: action }));
    return false;
  }

  /**
   * Emits an event; whatever is no {@linkcode Element} is wrapped in a `Signal` (D5-1).
   *
   * @returns What the subscribers returned, in their order; `[]` when the gate denied it (D5-2).
   */
  async emit(event: unknown): Promise<unknown[]> {
    const element = isElement(event) ? event : new Signal({ data: event });
    const payload = payloadOf(element);
    const allowed = this.#gate === null || await this.#allowed(this.#gate, payload);
    this.#flow.push(element);
    if (!allowed) {
      this.#denied++;
      return [];
    }
    if (this.#routes.length > 0) this.#addToStreams(element, payload);
    const subscriptions = this.#subscriptions;
    const results: unknown[] = [];
    if (subscriptions.length === 0) return results;
    const context = { event: element, payload, observer: this, session: this.session };
    for (let index = 0; index < subscriptions.length; index++) {
      const { matches, subscriber } = subscriptions[index];
      try {
        const subject = matches(element, payload);
        if (subject === NOT_WANTED) continue;
        const result = subscriber(subject, context);
        results.push(isThenable(result) ? await result : result);
      } catch (error) {
        this.#failed(error, element);
      }
    }
    return results;
  }

  /**
   * Writes every signal that reaches subscribers to a store, in batches, best effort (D5-3, D5-5, D5-6).
   * A later call replaces the binding.
   *
   * @param sessionId The session's id in the store; its row is made when it is missing.
   * @param store A store, or a function that opens one and may find none; then nothing is written.
   * @param options How the writer batches, bounds and redacts.
   */
  bindPersistence(
    sessionId: string,
    store: SignalStore | (() => Promise<SignalStore | null>),
    options: SignalWriterOptions = {},
  ): this {
    void this.unbindPersistence();
    const writer = new SignalWriter(sessionId, store, options);
    const subscriber = this.observe(Signal, (signal) => void writer.add(signal));
    this.#persistence = { writer, subscriber };
    return this;
  }

  /** Ends persistence. The promise resolves when what was waiting is written or given up. */
  async unbindPersistence(): Promise<void> {
    const bound = this.#persistence;
    if (bound === null) return;
    this.#persistence = null;
    this.unobserve(bound.subscriber);
    await bound.writer.close();
  }

  /** Resolves when everything emitted so far is written or given up. Never rejects. */
  async flush(): Promise<void> {
    await this.#persistence?.writer.flush();
  }

  /** What persistence wrote and lost so far; `null` when none is bound. */
  get persistence(): { readonly written: number; readonly lost: number } | null {
    return this.#persistence?.writer.counts ?? null;
  }

  /** What was counted so far. */
  get stats(): ObserverStats {
    return {
      events: this.#flow.size,
      dropped: this.#flow.dropped,
      denied: this.#denied,
      failures: this.#failures,
    };
  }

  async #allowed(gate: Gate, payload: unknown): Promise<boolean> {
    try {
      const answer = gate(payload);
      return Boolean(isThenable(answer) ? await answer : answer);
    } catch {
      return false;
    }
  }

  #addToStreams(element: Element, payload: unknown): void {
    for (const { matches, into } of this.#routes) {
      try {
        if (matches(element, payload) !== NOT_WANTED) this.#streamNamed(into).push(element);
      } catch (error) {
        // A filter that throws wants nothing.
        this.#failed(error, element);
      }
    }
  }

  #failed(error: unknown, event: Element): void {
    this.#failures++;
    try {
      this.#onError?.(error, event);
    } catch {
      // Telling of a failure must not become one.
    }
  }

  #streamNamed(name: string): Ring<Element> {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      stream = new Ring(this.#flow.capacity);
      this.#streams.set(name, stream);
    }
    return stream;
  }
}

interface Subscription {
  readonly matches: Matcher;
  readonly subscriber: Subscriber;
}

interface Route {
  readonly matches: Matcher;
  readonly into: string;
}

/** A proxy may refuse to say what it is; then it is none. */
function isElement(value: unknown): value is Element {
  try {
    return value instanceof Element;
  } catch {
    return false;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}
