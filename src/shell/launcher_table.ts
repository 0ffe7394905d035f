import type { LauncherEffect } from "./facts.ts";

/**
 * How a launcher is called: what stands before the command that it launches.
 *
 * `options` lists each option it knows, separated by spaces. What follows the name says what it takes:
 *
 * | spelling | meaning |
 * |---|---|
 * | `-a` | a flag |
 * | `-a=` | takes a value, attached or as the next word |
 * | `-a?` | takes a value only when it is attached |
 * | `-a=directory` | the value is the folder to run in |
 * | `-a=split` | the value is split into words, which come before the rest |
 * | `-a=script` | the value is a text that a shell runs |
 * | `-a=item`, `-a?item` | the value is replaced by items in the command's words |
 * | `-a!` | with this flag nothing is launched |
 * | `-a:words` | the rest begins right behind it |
 * | `-a:shell` | with this flag the rest is a text for a shell, or nothing |
 */
export interface LauncherGrammar {
  readonly effects: readonly LauncherEffect[];
  /** Whether it does nothing of its own: then a rule that allows the command is enough. */
  readonly transparent: boolean;
  readonly options: string;
  /** How many words of its own stand before the command: `timeout 5`, `ssh host`. */
  readonly operands: number;
  /** Whether `NAME=value` words may stand before the command. */
  readonly assignments: boolean;
  /**
   * What the rest is: `words` of a command; a `script` for a shell, made of the words joined by spaces;
   * `scripts`, one in each word; a `package` whose name is the program's, perhaps with a version;
   * `nothing`, only its options launch.
   */
  readonly rest: "words" | "script" | "scripts" | "package" | "nothing";
  /** Whether its options may stand behind its operands too, up to `--` (`kubectl exec pod -c x -- cmd`). */
  readonly permutes: boolean;
  /** Whether the launched program is one of the shell's own: `command`, `builtin`. */
  readonly inShell: boolean;
}

const NONE: readonly LauncherEffect[] = Object.freeze([]);

function launcher(
  options: string,
  more: Partial<LauncherGrammar> = {},
): LauncherGrammar {
  return Object.freeze({
    effects: NONE,
    transparent: false,
    operands: 0,
    assignments: false,
    rest: "words",
    permutes: false,
    inShell: false,
    options,
    ...more,
  });
}

const SUDO =
  "-A -b -E -e -H -K! -k -n -P -S -B -N -v! -V! -l! -i:shell -s:shell -a= -C= -c= -D=directory -g= " +
  "-h= -p= -R= -r= -t= -T= -U= -u= --askpass --background --preserve-env? --edit --set-home --reset-timestamp " +
  "--remove-timestamp! --non-interactive --preserve-groups --stdin --bell --validate! --version! --list! --login:shell " +
  "--shell:shell --help! --close-from= --chdir=directory --group= --host= --prompt= --chroot= --role= --type= " +
  "--command-timeout= --other-user= --user= --auth-type= --login-class= --no-update";

const DOCKER_RUN =
  "-d -i -t -P --detach --interactive --tty --rm --init --privileged --publish-all --read-only " +
  "--no-healthcheck --oom-kill-disable --quiet -q --help! -a= -c= -e= -h= -l= -m= -p= -u= -v= -w=directory " +
  "--add-host= --annotation= --attach= --blkio-weight= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= " +
  "--cpu-period= --cpu-quota= --cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --dns= --dns-search= " +
  "--domainname= --entrypoint= --env= --env-file= --expose= --gpus= --group-add= --health-cmd= --hostname= --ip= --ipc= " +
  "--isolation= --label= --label-file= --link= --log-driver= --log-opt= --mac-address= --memory= --memory-swap= --mount= " +
  "--name= --network= --net= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= --publish= --pull= " +
  "--restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= " +
  "--ulimit= --user= --userns= --uts= --volume= --volume-driver= --volumes-from= --workdir=directory";

const DOCKER_EXEC =
  "-d -i -t --detach --interactive --tty --privileged --help! -e= -u= -w=directory --env= " +
  "--env-file= --user= --workdir=directory --detach-keys=";

const COMPOSE_EXEC =
  "-d -T -t --detach --no-TTY --privileged --rm --no-deps --service-ports --build --quiet-pull -i " +
  "--interactive --help! -e= -u= -w=directory --env= --user= --workdir=directory --index= --entrypoint= --name= -v= " +
  "--volume= -p= --publish= -l= --label=";

const NPX =
  "-y --yes --no -n --no-install --quiet -q --ignore-existing --prefer-offline --offline --help! -h! --version! " +
  "-v! -p= --package= -c=script --call=script -w= --workspace= --workspaces --include-workspace-root --registry= " +
  "--cache= --userconfig= --node-options= --shell= --loglevel= --bun -b --silent -s --verbose";

const RUN_TOOL =
  "-q --quiet -v --verbose -h! --help! -V! --version! --no-project --isolated --offline --frozen --locked " +
  "--no-sync --active --all-extras --dev --no-dev --all-groups --no-cache --native-tls --refresh --with= --with-editable= " +
  "--with-requirements= --python= -p= --from= --extra= --group= --package= --env-file= --directory=directory " +
  "--project= --index-url= --extra-index-url= --index= --default-index= --refresh-package= -m! --module! -s! --script! --spec= --pip-args=";

/** Launchers, by the program's name. */
export const LAUNCHERS: ReadonlyMap<string, LauncherGrammar> = new Map(Object.entries({
  // As somebody else
  "sudo": launcher(SUDO, { effects: ["privilege"], assignments: true }),
  "doas": launcher("-n -s:shell -L! -a= -C! -u=", { effects: ["privilege"] }),
  "run0": launcher(
    "--background= -D=directory --chdir=directory -u= --user= -g= --group= --unit= --setenv= --nice= --pty --pipe --help! --version!",
    { effects: ["privilege"] },
  ),
  "pkexec": launcher("--disable-internal-agent --keep-cwd --help! --version! -u= --user=", {
    effects: ["privilege"],
  }),
  "su": launcher(
    "- -l -m -p -P -f -V! -h! -c=script -s= -g= -G= -w= --login --preserve-environment --pty --fast --version! --help! --command=script --session-command=script --shell= --group= --supp-group= --whitelist-environment=",
    { effects: ["privilege", "shell"], rest: "nothing", permutes: true },
  ),
  "runuser": launcher(
    "-l -m -p -P -f -c=script -s= -g= -G= -u= -w= --login --preserve-environment --pty --fast --command=script --session-command=script --shell= --group= --user=",
    { effects: ["privilege"] },
  ),
  "setpriv": launcher(
    "--no-new-privs --nnp --clear-groups --keep-groups --init-groups --reset-env --dump! --list-caps! --ambient-caps= --inh-caps= --bounding-set= --ruid= --euid= --rgid= --egid= --reuid= --regid= --groups= --securebits= --pdeathsig= --selinux-label= --apparmor-profile=",
    { effects: ["privilege"] },
  ),
  "setuidgid": launcher("", { effects: ["privilege"], operands: 1 }),
  "gosu": launcher("", { effects: ["privilege"], operands: 1 }),
  "su-exec": launcher("", { effects: ["privilege"], operands: 1 }),
  "fakeroot": launcher(
    "-u -v! -h! -l= -s= -i= -b= --unknown-is-real --lib= --faked= --help! --version! --",
  ),

  // The shell's own, and the environment
  "command": launcher("-p -v! -V!", { transparent: true, inShell: true }),
  "builtin": launcher("", { transparent: true, inShell: true }),
  "exec": launcher("-c -l -a=", { transparent: true }),
  "env": launcher(
    "- -i -0 -v -u= -C=directory -S=split -P= -a= --ignore-environment --null --unset= --chdir=directory --split-string=split --block-signal? --default-signal? --ignore-signal? --list-signal-handling --debug --argv0= --help! --version!",
    { effects: ["environment"], transparent: true, assignments: true },
  ),
  "cross-env": launcher("", { effects: ["environment"], transparent: true, assignments: true }),
  "cross-env-shell": launcher("", {
    effects: ["environment", "shell"],
    transparent: true,
    assignments: true,
    rest: "script",
  }),
  "dotenv": launcher("-e= -v= -c= -p= -o --override --quiet --help! -f= --file= -q= --quote=", {
    effects: ["environment"],
  }),
  "envdir": launcher("", { effects: ["environment"], operands: 1 }),

  // Time, priority, streams, sessions
  "nohup": launcher("--help! --version!", { effects: ["detached"], transparent: true }),
  "nice": launcher("-n= --adjustment= --help! --version!", { transparent: true }),
  "ionice": launcher("-t -c= -n= -p! -P! -u! --ignore --class= --classdata= --pid! --help!", {
    transparent: true,
  }),
  "chrt": launcher(
    "-a -b -d -f -i -o -r -R -v -m! -p! -T= -P= -D= --all-tasks --batch --deadline --fifo --idle --other --rr --reset-on-fork --max! --pid! --verbose --sched-runtime= --sched-period= --sched-deadline=",
    { transparent: true, operands: 1 },
  ),
  "taskset": launcher("-a -c -p! --all-tasks --cpu-list --pid! --help!", {
    transparent: true,
    operands: 1,
  }),
  "numactl": launcher(
    "-a -l -s! -H! -i= -m= -N= -C= -p= --all --localalloc --show! --hardware! --interleave= --membind= --cpunodebind= --physcpubind= --preferred=",
    { transparent: true },
  ),
  "time": launcher(
    "-a -p -q -v -h! -V! -f= -o= --append --portability --quiet --verbose --help! --version! --format= --output=",
    { transparent: true },
  ),
  "gtime": launcher("-a -p -q -v -f= -o=", { transparent: true }),
  "timeout": launcher(
    "-f -p -v -k= -s= --foreground --preserve-status --verbose --kill-after= --signal= --help! --version!",
    { transparent: true, operands: 1 },
  ),
  "gtimeout": launcher(
    "-f -p -v -k= -s= --foreground --preserve-status --verbose --kill-after= --signal=",
    { transparent: true, operands: 1 },
  ),
  "stdbuf": launcher("-i= -o= -e= --input= --output= --error= --help! --version!", {
    transparent: true,
  }),
  "unbuffer": launcher("-p", { transparent: true }),
  "setsid": launcher("-c -f -w --ctty --fork --wait --help! --version!", {
    effects: ["detached"],
    transparent: true,
  }),
  "daemonize": launcher("-a -v -c=directory -E= -e= -o= -p= -u= -l=", { effects: ["detached"] }),
  "caffeinate": launcher("-d -i -m -s -u -t= -w=", { transparent: true }),
  "prlimit": launcher(
    "-p= --pid= --noheadings --raw --verbose --output= -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y? --nofile? --nproc? --as? --core? --cpu? --data? --fsize? --memlock? --stack?",
    { transparent: true },
  ),
  "cpulimit": launcher("-z -i -v -l= -p= -e= --limit= --pid= --exe= --", { transparent: true }),
  "flock": launcher(
    "-e -F -n -o -s -u -x -v -c=script -E= -w= --exclusive --no-fork --nonblock --nb --close --shared --unlock --verbose --command=script --conflict-exit-code= --timeout= --wait=",
    { operands: 1, permutes: true },
  ),
  "chronic": launcher("-e -v", { transparent: true }),
  "retry": launcher("-d= -t= -e= --delay= --times= --until=", { effects: ["repeated"] }),
  "rtk": launcher("-v -u -q --verbose --ultra-compact --help! --version!", { transparent: true }),

  // Once per item, again and again, later
  "xargs": launcher(
    "-0 -o -p -r -t -x -a= -d= -E= -e? -I=item -i?item -J=item -L= -l? -n= -P= -R= -S= -s= --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --arg-file= --delimiter= --eof? --replace?item --max-lines? --max-args= --max-procs= --max-chars= --process-slot-var= --help! --version!",
    { effects: ["operands-from-stdin", "repeated"], transparent: true },
  ),
  "parallel": launcher(
    "-0 -k -q -u -v -m -X -t -r -a= -C= -d= -E= -I=item -j= -L= -l= -N= -n= -P= -S= -s= --bar --dry-run! --dryrun! --eta --group --halt= --halt-on-error= --jobs= --joblog= --keep-order --line-buffer --lb --linebuffer --load= --max-args= --max-procs= --memfree= --nice= --null --no-notice --pipe --pipepart --block= --progress --quote --retries= --resume --results= --sshlogin= --tag --timeout= --tmpdir= --trim= --ungroup --verbose --will-cite --workdir=directory --wd=directory --xargs --colsep= --delay= --delimiter= --arg-file= --env= --shuf --no-run-if-empty --help! --version!",
    { effects: ["operands-from-stdin", "repeated", "shell"], transparent: true, rest: "script" },
  ),
  "watch": launcher(
    "-b -c -C -d? -e -g -p -r -t -w -x -n= -q= -h! -v! --beep --color --no-color --differences? --errexit --chgexit --precise --no-rerun --no-title --no-wrap --exec --interval= --equexit= --help! --version!",
    { effects: ["repeated", "shell"], transparent: true, rest: "script" },
  ),
  "entr": launcher("-a -c -d -n -p -r -s:shell -x -z", { effects: ["repeated", "later"] }),
  "watchexec": launcher(
    "-w= -e= -f= -i= -r -c? -n -1 -p -q -v -o= -s= -d= --watch= --exts= --filter= --ignore= --restart --clear? --shell= --no-vcs-ignore --postpone --quiet --on-busy-update= --signal= --debounce= --workdir=directory",
    { effects: ["repeated", "later", "shell"], rest: "script" },
  ),
  "nodemon": launcher(
    "-w= --watch= -e= --ext= -i= --ignore= -x=script --exec=script -q --quiet -V --verbose -C -L --legacy-watch -d= --delay= --signal= --config= -h! -v!",
    { effects: ["repeated", "later"], rest: "nothing" },
  ),
  "hyperfine": launcher(
    "-w= -r= -m= -M= -p=script -s=script -c=script -S= -N -i -u= --warmup= --runs= --min-runs= --max-runs= --prepare=script --setup=script --cleanup=script --conclude=script --shell= --ignore-failure --style= --export-json= --export-markdown= --export-csv= --show-output --output= --input= -n= --command-name= --help! --version!",
    { effects: ["repeated", "shell"], rest: "scripts" },
  ),
  "concurrently": launcher(
    "-k -r -g -s= -n= -c= -p= -m= --kill-others --kill-others-on-fail --raw --group --success= --names= --prefix-colors= --prefix= --max-processes= --restart-tries= --restart-after= --no-color --hide= --handle-input -i --timings --passthrough-arguments -P",
    { effects: ["shell"], rest: "scripts" },
  ),
  "systemd-run": launcher(
    "--user --system --scope --no-block --wait --pty -t -P --pipe -q --quiet -G --collect -S --shell! -r --remain-after-exit --same-dir -d --slice-inherit -p= --property= -u= --unit= --description= --slice= -E= --setenv= --uid= --gid= --nice= --working-directory=directory --on-active= --on-boot= --on-calendar= --on-startup= --on-unit-active= --timer-property= -M= --machine= -H= --host=",
    { effects: ["detached"] },
  ),
  "start-stop-daemon": launcher("", { effects: ["detached"], rest: "nothing" }),
  "screen": launcher(
    "-d -m -D -R -A -a -L -U -q -x -S= -c= -e= -h= -p= -s= -t= -T= -r! -X! -ls! -list! -wipe!",
    { effects: ["detached"] },
  ),
  "script": launcher(
    "-a -e -f -q -c=script -B= -E= -I= -O= -o= -T= -m= -t? --append --command=script --return --flush --force --quiet --echo= --log-in= --log-out= --log-io= --log-timing= --logging-format= --output-limit= --timing? --help! --version!",
    { effects: ["shell"], rest: "nothing", permutes: true },
  ),

  // Elsewhere
  "ssh": launcher(
    "-4 -6 -A -a -C -f -G! -g -K -k -M -N! -n -q -s -T -t -V! -v -X -x -Y -y -B= -b= -c= -D= -E= -e= -F= -I= -i= -J= -L= -l= -m= -O! -o= -P= -p= -Q! -R= -S= -W= -w=",
    { effects: ["remote", "shell"], operands: 1, rest: "script" },
  ),
  "autossh": launcher(
    "-4 -6 -A -a -C -f -N! -n -q -T -t -v -X -Y -M= -i= -L= -l= -o= -p= -R= -D=",
    { effects: ["remote", "shell"], operands: 1, rest: "script" },
  ),
  "mosh": launcher("-4 -6 -a -n --client= --server= --predict= --ssh= -p= --port=", {
    effects: ["remote"],
    operands: 1,
  }),
  "rsh": launcher("-l= -n", { effects: ["remote", "shell"], operands: 1, rest: "script" }),
  "sshpass": launcher("-e -v -V! -h! -p= -f= -d= -P="),
  "chroot": launcher("--groups= --userspec= --skip-chdir --help! --version!", {
    effects: ["container"],
    operands: 1,
  }),
  "nsenter": launcher(
    "-a -F -r? -w? -W? -Z -e -k -m? -u? -i? -n? -p? -C? -U? -T? -t= -S? -G? --all --no-fork --root? --wd? --wdns? --follow-context --env --mount? --uts? --ipc? --net? --pid? --cgroup? --user? --time? --target= --setuid? --setgid? --preserve-credentials --keep-caps",
    { effects: ["container", "privilege"] },
  ),
  "unshare": launcher(
    "-f -r -c -m? -u? -i? -n? -p? -U? -C? -T? -R= -w=directory -S= -G= --fork --map-root-user --map-current-user --map-auto --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --mount-proc? --root= --wd=directory --setuid= --setgid= --propagation= --kill-child? --keep-caps",
    { effects: ["container"] },
  ),
  "firejail": launcher("", { effects: ["container"] }),
  "bwrap": launcher(
    "--unshare-all --share-net --unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup --die-with-parent --new-session --as-pid-1 --clearenv --chdir=directory --proc= --dev= --tmpfs= --mqueue= --dir= --hostname= --uid= --gid= --unsetenv= --args= --",
    { effects: ["container"] },
  ),
  "proot": launcher("-r= -b= -w=directory -0 -q= -S= -R=", { effects: ["container"] }),
  "toolbox": launcher("", { effects: ["container"], rest: "nothing" }),
  "flatpak-spawn": launcher(
    "--host --clear-env --watch-bus --latest-version --no-network --sandbox --env= --directory=directory --forward-fd=",
    { effects: ["container"] },
  ),
  "dbus-run-session": launcher("--config-file= --dbus-daemon= --", { transparent: true }),
  "dbus-launch": launcher("--exit-with-session --sh-syntax --autolaunch="),
  "xvfb-run": launcher(
    "-a -l -e= -f= -n= -p= -s= -w= --auto-servernum --listen-tcp --error-file= --auth-file= --server-num= --server-args= --wait=",
    { transparent: true },
  ),

  // Tracing
  "strace": launcher(
    "-f -F -c -C -d -i -k -n -q -r -t -T -v -x -y -z -Z -D -w -Y -a= -b= -e= -E= -I= -o= -O= -p= -P= -s= -S= -u= -U= -X= --follow-forks --summary-only --output= --trace= --",
  ),
  "ltrace": launcher(
    "-f -c -C -i -r -S -t -T -L -a= -A= -D= -e= -F= -l= -n= -o= -p= -s= -u= -w= -x=",
  ),
  "gdb": launcher("--args -q -batch --batch -ex= -x= -p! --pid! -nx -nh -iex= --", {}),
  "valgrind": launcher(
    "-v -q --tool= --leak-check= --show-leak-kinds= --track-origins= --error-exitcode= --log-file= --suppressions= --num-callers= --trace-children= --xml= --xml-file=",
  ),
  "rlwrap": launcher("-a? -c -D= -f= -H= -n -s= -p? --"),

  // Packages and project environments
  "npx": launcher(NPX, { effects: ["fetches"], rest: "package" }),
  "bunx": launcher(NPX, { effects: ["fetches"], rest: "package" }),
  "pnpx": launcher(NPX, { effects: ["fetches"], rest: "package" }),
  "uvx": launcher(RUN_TOOL, { effects: ["fetches"], rest: "package" }),
  "direnv": launcher("", { rest: "nothing" }),
  "nix-shell": launcher(
    "-p= --packages= --pure --run=script --command=script -A= --attr= -I= -E= --expr= --keep= --arg= --argstr= -i= --quiet -v --verbose",
    { effects: ["fetches"], rest: "nothing", permutes: true },
  ),
  "busybox": launcher("--list! --list-full! --help! --install!", { transparent: true }),
  "toybox": launcher("--long! --help! --version!", { transparent: true }),
}));

/** Programs of which one subcommand launches: the options before it, and the subcommands. */
export interface SubcommandLaunchers {
  readonly options: string;
  readonly subcommands: Readonly<Record<string, LauncherGrammar>>;
}

const container = (options: string, operands = 1): LauncherGrammar =>
  launcher(options, { effects: ["container"], operands });
const dlx = launcher(NPX, { effects: ["fetches"], rest: "package" });
const DOCKER_GLOBAL =
  "-D --debug --tls --tlsverify -c= --context= -H= --host= -l= --log-level= --config= --tlscacert= --tlscert= --tlskey= --connection= --url= --identity=";
const COMPOSE_GLOBAL =
  "-f= --file= -p= --project-name= --profile= --env-file= --project-directory= --ansi= --progress= --compatibility --dry-run --parallel=";

/** Launching subcommands, by the program's name. */
export const SUBCOMMAND_LAUNCHERS: ReadonlyMap<string, SubcommandLaunchers> = new Map(
  Object.entries<SubcommandLaunchers>({
    "docker": {
      options: DOCKER_GLOBAL,
      subcommands: {
        "exec": container(DOCKER_EXEC),
        "run": container(DOCKER_RUN),
        "container exec": container(DOCKER_EXEC),
        "container run": container(DOCKER_RUN),
        "compose exec": container(COMPOSE_EXEC),
        "compose run": container(COMPOSE_EXEC),
      },
    },
    "podman": {
      options: DOCKER_GLOBAL,
      subcommands: {
        "exec": container(DOCKER_EXEC),
        "run": container(DOCKER_RUN),
        "unshare": container("", 0),
      },
    },
    "nerdctl": {
      options: DOCKER_GLOBAL,
      subcommands: { "exec": container(DOCKER_EXEC), "run": container(DOCKER_RUN) },
    },
    "docker-compose": {
      options: COMPOSE_GLOBAL,
      subcommands: { "exec": container(COMPOSE_EXEC), "run": container(COMPOSE_EXEC) },
    },
    "lxc": {
      options: "",
      subcommands: { "exec": container("--cwd=directory --env= --user= -t -T -n --mode=") },
    },
    "kubectl": {
      options:
        "-n= --namespace= --context= --kubeconfig= --cluster= --user= --as= -s= --server= --token= -v= --request-timeout=",
      subcommands: {
        "exec": launcher(
          "-i -t -q --stdin --tty --quiet -c= --container= -n= --namespace= -f= --filename= --pod-running-timeout= --context= --kubeconfig=",
          {
            effects: ["container", "remote"],
            operands: 1,
            permutes: true,
          },
        ),
      },
    },
    "oc": {
      options: "-n= --namespace= --context= --kubeconfig=",
      subcommands: {
        "exec": launcher("-i -t -c= -n= --stdin --tty --container= --namespace=", {
          effects: ["container", "remote"],
          operands: 1,
          permutes: true,
        }),
        "rsh": launcher("-c= -n= --shell= --container= --namespace=", {
          effects: ["container", "remote"],
          operands: 1,
        }),
      },
    },
    "vagrant": {
      options: "",
      subcommands: {
        "ssh": launcher("-c=script --command=script -p --plain", {
          effects: ["remote", "shell"],
          rest: "nothing",
          permutes: true,
        }),
      },
    },
    "fly": {
      options: "",
      subcommands: {
        "ssh console": launcher("-C=script --command=script -a= --app= -r= -s -u=", {
          effects: ["remote", "shell"],
          rest: "nothing",
          permutes: true,
        }),
      },
    },
    "heroku": {
      options: "",
      subcommands: {
        "run": launcher("-a= --app= -r= --remote= -x --exit-code -s= --size= --no-tty --", {
          effects: ["remote"],
        }),
      },
    },
    "npm": {
      options: "--prefix= -w= --workspace= --silent -s --loglevel= -C=",
      subcommands: { "exec": dlx, "x": dlx },
    },
    "pnpm": {
      options: "-r --recursive -w --workspace-root -s --silent -C= --dir= --filter= -F=",
      subcommands: {
        "dlx": dlx,
        "exec": launcher(
          "-r -c:shell --recursive --shell-mode:shell --parallel --resume-from= --no-reporter-hide-prefix",
        ),
      },
    },
    "yarn": { options: "--cwd= -s --silent", subcommands: { "dlx": dlx, "exec": launcher("") } },
    "bun": { options: "--bun -b --silent --cwd=", subcommands: { "x": dlx } },
    "uv": {
      options:
        "-q --quiet -v --verbose --offline --no-cache --directory= --project= --color= --native-tls",
      subcommands: {
        "run": launcher(RUN_TOOL, { effects: ["fetches"] }),
        "tool run": launcher(RUN_TOOL, { effects: ["fetches"], rest: "package" }),
      },
    },
    "pipx": {
      options: "",
      subcommands: { "run": launcher(RUN_TOOL, { effects: ["fetches"], rest: "package" }) },
    },
    "poetry": {
      options: "-q -v -n -C= --directory= --project= -P= --no-ansi",
      subcommands: { "run": launcher("") },
    },
    "pipenv": { options: "-q -v", subcommands: { "run": launcher("") } },
    "pdm": {
      options: "-q -v -p= --project=",
      subcommands: { "run": launcher("-s -v -p= --site-packages") },
    },
    "hatch": { options: "-e= --env= -q -v", subcommands: { "run": launcher("-e= --env=") } },
    "rye": { options: "", subcommands: { "run": launcher("") } },
    "conda": {
      options: "",
      subcommands: {
        "run": launcher(
          "-n= --name= -p= --prefix= --cwd=directory --no-capture-output --live-stream -v -s -e= ",
        ),
      },
    },
    "mamba": {
      options: "",
      subcommands: { "run": launcher("-n= --name= -p= --prefix= --cwd=directory") },
    },
    "bundle": {
      options: "",
      subcommands: { "exec": launcher("--keep-file-descriptors --gemfile=") },
    },
    "rbenv": { options: "", subcommands: { "exec": launcher("") } },
    "pyenv": { options: "", subcommands: { "exec": launcher("") } },
    "nodenv": { options: "", subcommands: { "exec": launcher("") } },
    "asdf": { options: "", subcommands: { "exec": launcher("") } },
    "mise": {
      options: "-C= -q -v -y --cd=",
      subcommands: {
        "exec": launcher("-c=script --command=script -j= --jobs= --raw --", { permutes: true }),
        "x": launcher("-c=script --command=script -j= --raw --", { permutes: true }),
      },
    },
    "rtx": {
      options: "",
      subcommands: { "exec": launcher("-c=script --command=script --", { permutes: true }) },
    },
    "volta": {
      options: "",
      subcommands: {
        "run": launcher("--node= --npm= --pnpm= --yarn= --bundled-npm --no-yarn --env="),
      },
    },
    "fnm": { options: "", subcommands: { "exec": launcher("--using=") } },
    "nvm": { options: "", subcommands: { "exec": launcher("--silent", { operands: 1 }) } },
    "rustup": { options: "-q -v", subcommands: { "run": launcher("--install", { operands: 1 }) } },
    "direnv": {
      options: "",
      subcommands: { "exec": launcher("", { effects: ["environment"], operands: 1 }) },
    },
    "nix": {
      options: "--extra-experimental-features=",
      subcommands: {
        "develop": launcher(
          "--impure -i -k= --ignore-environment --keep= --phase= -c:words --command:words",
          { effects: ["fetches"], rest: "nothing", permutes: true },
        ),
        "shell": launcher("--impure -c:words --command:words", {
          effects: ["fetches"],
          rest: "nothing",
          permutes: true,
        }),
      },
    },
    "devbox": {
      options: "",
      subcommands: {
        "run": launcher("-c= -e= --config= --env= --pure -q", {
          effects: ["shell"],
          rest: "script",
        }),
      },
    },
    "doppler": {
      options: "-p= -c= --project= --config= -t= --token=",
      subcommands: {
        "run": launcher("-p= -c= --project= --config= --command=script --mount= --preserve-env?", {
          effects: ["environment"],
        }),
      },
    },
    "op": {
      options: "--account=",
      subcommands: {
        "run": launcher("--env-file= --no-masking --account=", { effects: ["environment"] }),
      },
    },
    "infisical": {
      options: "",
      subcommands: {
        "run": launcher("--env= --path= --projectId= --token= --command=script --watch", {
          effects: ["environment"],
        }),
      },
    },
    "aws-vault": {
      options: "",
      subcommands: {
        "exec": launcher(
          "-d= --duration= -r= --region= -n --no-session -s --server --json -j --prompt= --stdout",
          { effects: ["environment"], operands: 1 },
        ),
      },
    },
    "tmux": {
      options: "-2 -C -D -l -N -u -v -c= -f= -L= -S= -T=",
      subcommands: Object.fromEntries(
        [
          "new-session",
          "new",
          "new-window",
          "neww",
          "split-window",
          "splitw",
          "respawn-pane",
          "respawnp",
          "respawn-window",
          "respawnw",
          "display-popup",
          "popup",
          "run-shell",
          "run",
          "if-shell",
          "if",
        ]
          .map((
            name,
          ) => [
            name,
            launcher(
              "-A -a -b -C -d -D -E -h -I -k -P -v -X -Z -B -S -c= -e= -F= -f= -n= -s= -t= -x= -y= -l= -w= -T= -p=",
              { effects: ["detached", "shell"], rest: "script" },
            ),
          ]),
      ),
    },
    "perf": {
      options: "",
      subcommands: {
        "stat": launcher("-a -d -v -e= -r= -o= -p= -C= -x= --"),
        "record": launcher("-a -g -v -e= -F= -o= -p= -c= -C= --call-graph= --"),
      },
    },
  }),
);
