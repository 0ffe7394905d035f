// E: the emptiest program there is.
export {};
