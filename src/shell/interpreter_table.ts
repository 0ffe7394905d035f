import type { InlineLanguage } from "./facts.ts";

/** How an interpreter is called: where code stands among its words. */
export interface InterpreterGrammar {
  readonly language: InlineLanguage;
  /** In the language of `LauncherGrammar.options`; `=script` marks code, `!` says that no code follows. */
  readonly options: string;
  /** What the first operand is: code (`awk`), or a file; then the code may come on stdin instead. */
  readonly operand: "code" | "file";
}

/** Shells: what they are given to run is read as a script of its own. */
export const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "ksh93",
  "mksh",
  "ash",
  "rbash",
  "bash5",
]);

const NODE =
  "-e=script --eval=script -p=script --print=script -pe=script -c -i -r= --require= --import= --loader= -C= " +
  "--conditions= --env-file= --inspect? --inspect-brk? --test! --run! -h! -v! --help! --version! --title= --input-type= " +
  "--experimental-loader= --max-old-space-size= --cwd= --preload= --watch-path=";
const AWK =
  "-F= -v= -f! -e=script --source=script --file! -i= --include= -W= --field-separator= --assign= -b -c -C " +
  "-d? -g -h! -I -k -l= -L? -M -n -N -o? -O -p? -P -r -s -S -t -V! --version!";
const FOREIGN = "-c=script --command=script -l -i -n -f -h! -v! --version! --help!";

const table = (
  language: InlineLanguage,
  options: string,
  operand: InterpreterGrammar["operand"] = "file",
): InterpreterGrammar => Object.freeze({ language, options, operand });

const python = table(
  "python",
  "-b -B -d -E -h! -i -I -O -P -q -s -S -u -v -V! -x -W= -X= --version! --help! -m! -c=script",
);
const node = table("javascript", NODE);
const perl = table(
  "perl",
  "-e=script -E=script -n -p -a -l -i? -0 -1 -2 -3 -4 -5 -6 -7 -w -W -t -T -u -U -c -d? -D? -F? -I= -m? -M? -s -S -v! -V! -x? -C?",
);
const ruby = table(
  "ruby",
  "-e=script -n -p -a -l -i? -r? -I= -c -w -W? -x? -E= -K? -s -S -v -d -h! -0 --version! --disable= --enable= --jit?",
);
const php = table(
  "php",
  "-r=script -B=script -R=script -E=script -F! -f! -S! -t= -d= -c= -n -a -l -m! -i! -v! -q -H",
);
const awk = table("awk", AWK, "code");
const powershell = table("powershell", "");
const unknown = table("unknown", FOREIGN);
const evaluator = table(
  "unknown",
  "-e=script --eval=script -E=script -p= -L= -J= -t= -q -i -h! --version! -cp= -M? -Sdeps=",
);

/** Interpreters of other languages, by the program's name without a version. */
export const INTERPRETERS: ReadonlyMap<string, InterpreterGrammar> = new Map(Object.entries({
  "python": python,
  "pypy": python,
  "ipython": table("python", "-c=script -m! -i --no-banner -h!"),
  "node": node,
  "nodejs": node,
  "bun": node,
  "tsx": node,
  "ts-node": node,
  "deno": table("javascript", "-q --quiet"),
  "qjs": node,
  "perl": perl,
  "ruby": ruby,
  "jruby": ruby,
  "php": php,
  "awk": awk,
  "gawk": awk,
  "mawk": awk,
  "nawk": awk,
  "sed": table(
    "sed",
    "-n -r -E -s -u -z -i? -e=script -f! -l= --expression=script --file! --in-place? --quiet --silent --regexp-extended --separate --unbuffered --null-data --line-length= --posix --debug --sandbox --follow-symlinks --help! --version!",
    "code",
  ),
  "gsed": table(
    "sed",
    "-n -r -E -s -u -z -i? -e=script -f! -l= --expression=script --in-place?",
    "code",
  ),
  "lua": table("lua", "-e=script -l= -i -v -E -W"),
  "luajit": table("lua", "-e=script -l= -i -v -E -j= -O?"),
  "Rscript": table(
    "r",
    "-e=script --vanilla --no-save --no-restore --slave --quiet --verbose --version! --help!",
  ),
  "R": table(
    "r",
    "-e=script --vanilla --no-save --no-restore --slave --quiet -q -s --args! -f! --file! CMD!",
  ),
  "osascript": table("applescript", "-e=script -l= -s= -i"),
  "powershell": powershell,
  "pwsh": powershell,
  "cmd": table("cmd", ""),
  "fish": unknown,
  "csh": unknown,
  "tcsh": unknown,
  "nu": unknown,
  "elvish": unknown,
  "xonsh": unknown,
  "julia": evaluator,
  "elixir": evaluator,
  "groovy": evaluator,
  "scala": evaluator,
  "clojure": evaluator,
  "clj": evaluator,
  "bb": evaluator,
  "ghc": evaluator,
  "raku": evaluator,
  "erl": table("unknown", "-eval=script -noshell -s= -run="),
  "emacs": table("unknown", "--eval=script -eval=script --batch -batch -Q -q -l= --load= -f= -nw"),
  "tclsh": table("unknown", ""),
  "expect": table("unknown", "-c=script -f= -i -d -b -n"),
}));

/** `python3.12` is `python`, `perl5.36` is `perl`. */
export function interpreterOf(name: string): InterpreterGrammar | undefined {
  const interpreter = INTERPRETERS.get(name);
  if (interpreter !== undefined || !/[\d.]|\.exe$/.test(name)) return interpreter;
  return INTERPRETERS.get(name.replace(/[\d.]+(?:\.exe)?$|\.exe$/, ""));
}
