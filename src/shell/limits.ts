/**
 * The caps of a reading. Over one of them a line is not understood; it is never cut silently.
 *
 * @module
 */

/** Longest line that is looked at, in characters: a file written by a heredoc fits, a flood does not. */
export const MAX_CHARACTERS = 65_536;

/** How deep scripts, compound commands, functions and launchers nest; people and agents stay below ten. */
export const MAX_DEPTH = 20;

/** How many simple commands are listed; a line with more is a program. */
export const MAX_COMMANDS = 1_024;

/** How many words one word may become by braces. */
export const MAX_BRACE_WORDS = 128;

/** How many times the bodies of loops over known words are read, all nested loops multiplied. */
export const MAX_ITERATIONS = 32;

/** How many other folders a command may run in before we say "anywhere". */
export const MAX_OTHER_DIRECTORIES = 4;

/** Steps that any line may take, however short: functions and loops read their bodies again. */
export const FIXED_STEPS = 8_192;

/** Steps besides, for each character of the line: one for each level of nesting and to spare. */
export const STEPS_PER_CHARACTER = 32;

/** Longest folder that is followed, in characters: longer ones no system can open. */
export const MAX_DIRECTORY_LENGTH = 1_024;

/** Steps for a word that an expansion makes: more work than a character. */
export const STEPS_PER_WORD = 8;
