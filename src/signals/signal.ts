import { Element, type ElementInit } from "./element.ts";

/** The version of the signals' envelope and payload shapes. Raised when a field is removed or renamed. */
export const SIGNAL_SCHEMA_VERSION = 1;

/** What a new {@linkcode Signal} is given. */
export interface SignalInit<Data> extends ElementInit {
  /** The payload: what filters and the gate see. */
  readonly data?: Data;
  /** The role that emitted it (`planner`, `reviewer`, …), when there are roles. */
  readonly emitterRole?: string | null;
}

/**
 * The envelope that carries a payload to the observer (D5): identity and time from {@linkcode Element},
 * and `data`, `emitterRole` and `schemaVersion` of its own.
 *
 * Subclasses name themselves in a static `kind`, since the names of classes do not survive minifying.
 */
export class Signal<Data = unknown> extends Element {
  /** The name under which signals of this class are stored. */
  static readonly kind: string = "Signal";

  /** The payload. */
  readonly data: Data;
  /** The role that emitted it; `null` when there are no roles. */
  readonly emitterRole: string | null;
  /** The version of the envelope. */
  readonly schemaVersion: number = SIGNAL_SCHEMA_VERSION;

  /** Makes a signal. */
  constructor(init: SignalInit<Data> = {}) {
    super(init);
    this.data = (init.data ?? null) as Data;
    this.emitterRole = init.emitterRole ?? null;
  }

  /** The name under which it is stored: the class's own `kind`, or its name where it gave none. */
  get kind(): string {
    const made = this.constructor as typeof Signal;
    return Object.hasOwn(made, "kind") ? made.kind : made.name;
  }
}
