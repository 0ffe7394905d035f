/**
 * Code that stands on a command line (`python -c …`, a heredoc for `node`): does it delete, start programs, or plainly
 * read?
 *
 * It is not parsed. Signs of deletion and of started programs are looked for, and code passes only when every call in it
 * is on the list of calls that read and compute.
 *
 * @module
 */

import type { InlineLanguage } from "../shell/facts.ts";
import { isWordOf, type WordList, wordList } from "../shell/word_list.ts";
import { UNKNOWN } from "./command_words.ts";

/** What a piece of code does, as far as it can be told. */
export type CodeFinding =
  | { readonly kind: "reads" }
  | { readonly kind: "deletes"; readonly call: string }
  /** Starts programs; `texts` are the texts in it, which may be command lines. */
  | { readonly kind: "starts"; readonly call: string; readonly texts: readonly string[] }
  | { readonly kind: "unknown"; readonly call: string };

/** Signs that something is removed or emptied, in any language. */
const DELETES =
  /\b(rmtree|rm_rf|rm_r|remove_entry(?:_secure)?|remove_tree|removedirs|unlink(?:Sync)?|rmdir(?:Sync)?|rmSync|os\.remove|fs\.rm|truncate(?:Sync)?|File\.delete|FileUtils\.rm\w*|Deno\.remove(?:Sync)?|emptyDir(?:Sync)?|rimraf|send2trash|drop_all|dropDatabase|flushall|Remove-Item|Clear-Content)\b/;

/** Signs that a program is started or that text becomes code, in any language. */
const STARTS =
  /\b(os\.system|os\.popen|os\.exec\w*|os\.spawn\w*|os\.fork|posix_spawn|subprocess|pty\.spawn|commands\.getoutput|child_process|execSync|execFile(?:Sync)?|spawn(?:Sync)?|Deno\.(?:run|Command)|Bun\.spawn\w*|system|popen|Open3|IO\.popen|shell_exec|passthru|proc_open|pcntl_exec|do shell script|Start-Process|Invoke-Expression|iex|ShellExecute|eval|exec|__import__|Function|compile|execv\w*)\b/;

/** Calls that read or compute, whatever object they are called on. */
const HARMLESS_CALLS: WordList = wordList(
  "print println printf puts p pp log warn error info debug dir table say echo var_dump print_r sprintf format " +
    "len str int float bool list dict set tuple range sorted reversed enumerate zip map filter sum min max abs round " +
    "any all type isinstance repr hash id ord chr hex bin oct iter next getattr hasattr vars input open read readline " +
    "readlines read_text read_bytes splitlines split rsplit partition join strip lstrip rstrip upper lower title " +
    "replace startswith endswith find index count get items keys values append extend pop sort reverse copy update " +
    "encode decode loads dumps load dump_json findall search match fullmatch sub finditer group groups compile_re " +
    "now today utcnow strftime strptime isoformat fromtimestamp timestamp date time datetime timedelta sleep " +
    "path Path exists isfile isdir is_file is_dir listdir walk glob rglob iterdir stat getsize basename dirname abspath " +
    "realpath resolve relative_to suffix joinpath getcwd environ cwd version python_version platform uname node machine " +
    "sha256 sha1 md5 hexdigest digest b64encode b64decode urlsafe_b64encode uuid4 token_hex token_urlsafe randint random " +
    "choice shuffle sqrt pow floor ceil log2 log10 exp mean median Counter defaultdict OrderedDict namedtuple deque " +
    "safe_load reader DictReader parse parseInt parseFloat parse_args Number String Boolean Array Object Date Map Set " +
    "Math Symbol BigInt RegExp Buffer from of keys entries stringify toString toFixed toISOString toLocaleString " +
    "toUpperCase toLowerCase trim slice splice concat includes indexOf startsWith endsWith padStart padEnd repeat charAt " +
    "charCodeAt forEach reduce some every findIndex flat flatMap fill push shift unshift isArray assign freeze test " +
    "require readFileSync readFile existsSync readdirSync statSync lstatSync realpathSync createHash readdir then catch " +
    "finally resolve import importlib metadata version find_spec get_python_lib sysconfig get_path get_paths get_config_var " +
    "exit quit die defined scalar lc uc ucfirst substr length push keys values each sort reverse join split map grep " +
    "sprintf localtime gmtime printf to_s to_i to_f to_json to_a to_h each each_with_index select reject collect inject " +
    "first last size empty gsub tr chomp strip dig fetch key if for while return in and or not except lambda def function " +
    "async await switch case with assert raise yield elif print_function new typeof void super constructor",
);

/** Modules and names whose mere use can do more than read. */
const POWERFUL =
  /\b(ctypes|pickle|marshal|shutil|socket|ftplib|smtplib|paramiko|requests|urllib|http|net|https|dgram|cluster|worker_threads|vm|process\.(?:binding|kill|dlopen)|WebSocket|XMLHttpRequest|fetch|axios|importlib\.reload|builtins|globals|locals|setattr|delattr|writeFile\w*|appendFile\w*|createWriteStream|write_text|write_bytes|rename\w*|chmod\w*|chown\w*|symlink\w*|mkdir\w*|makedirs|copyfile\w*|Deno\.write\w*|Bun\.write|executescript|execute)\b/;

/** Opening a file to write it: `open(x, "w")`, `open(FH, ">x")`, `File.write`. */
const WRITES =
  /open\s*\([^)]*,\s*(?:mode\s*=\s*)?["'](?:[wax]|r?b?\+|>|\+|\|)|\.write\s*\(|file_put_contents/;

/** Calls with such a name that start nothing. */
const NAMESAKES = /\b(?:re|regex)\.compile\b|\bplatform\.system\b|\.exec\s*\(/g;

/** Longer code is not looked at: some signs cost more than one look at each letter. */
const CODE_LIMIT = 20_000;

/** Languages in which nothing is told apart but deletion and started programs. */
const UNREAD: ReadonlySet<InlineLanguage> = new Set([
  "powershell",
  "cmd",
  "applescript",
  "unknown",
]);

/** Languages that call without brackets, and what writes there. */
const BARE_CALLS: ReadonlySet<InlineLanguage> = new Set(["perl", "ruby", "lua"]);
const BARE_WRITES =
  /\bopen\b[^;\n]*["'](?:\+?>|\|)|\b(?:File|IO|FileUtils|Dir|Pathname)\.(?!read|exist|open|basename|dirname|join|extname|size|stat|expand_path|foreach|glob|entries|children|pwd|file\b|file\?|directory\?)\w+|\bio\.open\b|\bos\.rename\b/;

/** Looks at a piece of code. */
export function inlineCode(language: InlineLanguage, code: string): CodeFinding {
  if (code.length > CODE_LIMIT) return { kind: "unknown", call: "more code than is looked at" };
  if (code.includes(UNKNOWN) && code.replaceAll(UNKNOWN, "").trim() === "") {
    return { kind: "unknown", call: "text that is known only when it runs" };
  }
  switch (language) {
    case "awk":
      return awk(code);
    case "sed":
      return sed(code);
    case "python":
    case "javascript":
    case "perl":
    case "ruby":
    case "php":
    case "lua":
    case "r":
    case "applescript":
    case "powershell":
    case "cmd":
    case "unknown":
      return general(language, code);
    default:
      return language satisfies never;
  }
}

function general(language: InlineLanguage, source: string): CodeFinding {
  const texts = quotedTexts(source);
  const code = withoutComments(language, source);
  const bare = withoutTexts(code);
  const deletes = DELETES.exec(bare);
  if (deletes !== null) return { kind: "deletes", call: deletes[1]! };
  const calls = bare.replace(NAMESAKES, "");
  const starts = STARTS.exec(calls);
  if (starts !== null) return { kind: "starts", call: starts[1]!, texts };
  if (language === "javascript" && /\$\s*`/.test(bare)) {
    return { kind: "starts", call: "$`…`", texts: [...texts, ...templateTexts(source)] };
  }
  if (/child_process|subprocess/.test(source)) {
    return { kind: "starts", call: "child_process", texts };
  }
  if (
    (language === "perl" || language === "ruby" || language === "php") && /`|\bqx\b|%x/.test(bare)
  ) {
    return { kind: "starts", call: "backticks", texts: [...texts, source] };
  }
  if (UNREAD.has(language)) {
    return {
      kind: "unknown",
      call: language === "unknown" ? "its language is not read" : language,
    };
  }
  const powerful = POWERFUL.exec(bare) ?? POWERFUL.exec(requiredNames(source));
  if (powerful !== null) return { kind: "unknown", call: powerful[1]! };
  if (WRITES.test(code) || (BARE_CALLS.has(language) && BARE_WRITES.test(code))) {
    return { kind: "unknown", call: "writing a file" };
  }
  for (const [, name] of calls.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)) {
    if (!isWordOf(HARMLESS_CALLS, name!)) return { kind: "unknown", call: `${name}()` };
  }
  return { kind: "reads" };
}

/** Names of modules that are loaded by a text: `require("fs")`, `import("net")`. */
function requiredNames(source: string): string {
  return [
    ...source.matchAll(
      /(?:require|import|from|__import__)\s*\(?\s*["'`](?:node:)?([\w./@-]+)["'`]/g,
    ),
  ]
    .map(([, name]) => name === "fs" || name === "path" ? "" : name!).join(" ");
}

function awk(code: string): CodeFinding {
  const bare = withoutTexts(code);
  if (
    /\bsystem\s*\(|\|\s*(?:getline|""|&)|(?:""|\w)\s*\|\s*getline|\bprintf?\b[^;}]*\|/.test(bare)
  ) {
    return { kind: "starts", call: "system", texts: quotedTexts(code) };
  }
  if (/\bprintf?\b[^;}]*>/.test(bare.replace(/\([^()]*\)/g, ""))) {
    return { kind: "unknown", call: "writing a file" };
  }
  if (/@load|\bextension\b|-i\s/.test(bare)) {
    return { kind: "unknown", call: "loading an extension" };
  }
  return { kind: "reads" };
}

/** `sed`: the command `e` and the flag `e` run programs, `w` writes files. */
function sed(code: string): CodeFinding {
  for (const piece of code.split(/\n|;(?![^/]*\/[^/]*$)/)) {
    const substitution =
      /^\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$|\/[^/]*\/))?\s*!?\s*\{?\s*s([^\w\s])/.exec(piece);
    if (substitution !== null) {
      const mark = substitution[1]!;
      const flags = splitBy(piece.slice(substitution[0].length), mark).slice(2).join(mark);
      if (/^[gpiImM\d]*e/.test(flags)) return { kind: "starts", call: "s///e", texts: [piece] };
      if (/^[gpiImM\d]*w/.test(flags)) return { kind: "unknown", call: "writing a file" };
      continue;
    }
    const command =
      /^\s*(?:\d+|\$|\/(?:[^/\\]|\\.)*\/)?(?:,(?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*\{?\s*([ewW])(?:\s|$)/
        .exec(piece);
    if (command === null) continue;
    return command[1] === "e"
      ? { kind: "starts", call: "e", texts: [piece] }
      : { kind: "unknown", call: "writing a file" };
  }
  return { kind: "reads" };
}

function splitBy(text: string, mark: string): string[] {
  const pieces = [""];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "\\") pieces[pieces.length - 1] += text.slice(index, ++index + 1);
    else if (text[index] === mark) pieces.push("");
    else pieces[pieces.length - 1] += text[index];
  }
  return pieces;
}

const TEXT = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/g;

/** The texts in code, quotes removed. */
export function quotedTexts(code: string): string[] {
  return (code.match(TEXT) ?? []).map((text) => text.slice(1, -1));
}

function templateTexts(code: string): string[] {
  return (code.match(/`[^`]*`/g) ?? []).map((text) => text.slice(1, -1));
}

function withoutTexts(code: string): string {
  return code.replace(TEXT, '""');
}

function withoutComments(language: InlineLanguage, code: string): string {
  if (language === "javascript" || language === "php") {
    return code.replace(/(^|[^:"'\\])\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1");
  }
  return code.replace(/(^|[\s;])#[^\n]*/g, "$1");
}
