/*
 * Runs several commands in turn, again and again, and prints what each run took. Because they take turns,
 * a machine that slows down for a while slows them all down alike, and ratios taken turn by turn hold.
 *
 *   pairs TURNS WARM_UP PLAN
 *
 * PLAN is a file with one command a line, its fields separated by tabs: the file that the command reads
 * as its standard input (through a pipe, as a client would write it), its whole environment as NAME=VALUE
 * fields, then the program and its arguments.
 * For every run after the warm-up one line is printed, its fields separated by tabs:
 * turn, command (counted from 0), wall microseconds, processor microseconds, peak memory in KiB, exit code.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_COMMANDS = 64, MOST_FIELDS = 64, LONGEST_LINE = 65536, PIPE_SIZE = 1 << 20 };

struct command {
  char *argv[MOST_FIELDS + 1];
  char *environment[MOST_FIELDS + 1];
  char *input;
  size_t input_length;
};

static struct command commands[MOST_COMMANDS];

static void fail(const char *what, const char *where) {
  fprintf(stderr, "Cannot %s %s: %s\n", what, where, strerror(errno));
  exit(2);
}

static void read_input(struct command *command, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("open", path);
  command->input = malloc(PIPE_SIZE);
  if (!command->input) fail("hold", path);
  command->input_length = fread(command->input, 1, PIPE_SIZE, file);
  if (ferror(file)) fail("read", path);
  fclose(file);
}

static int read_plan(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail("open", path);
  static char line[LONGEST_LINE];
  int count = 0;
  while (count < MOST_COMMANDS && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (!*line) continue;
    char *rest = strdup(line);
    read_input(&commands[count], strsep(&rest, "\t"));
    int variables = 0, words = 0;
    while (rest && variables < MOST_FIELDS && words < MOST_FIELDS) {
      char *field = strsep(&rest, "\t");
      if (words == 0 && strchr(field, '=')) commands[count].environment[variables++] = field;
      else commands[count].argv[words++] = field;
    }
    count++;
  }
  fclose(file);
  return count;
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static double of_timeval(struct timeval value) {
  return value.tv_sec * 1e6 + value.tv_usec;
}

static void run(const struct command *command, int turn, int index) {
  int input[2], output[2];
  if (pipe2(input, O_CLOEXEC) || pipe2(output, O_CLOEXEC)) fail("make", "a pipe");
  fcntl(input[1], F_SETPIPE_SZ, PIPE_SIZE);
  fcntl(output[1], F_SETPIPE_SZ, PIPE_SIZE);
  if (write(input[1], command->input, command->input_length) != (ssize_t)command->input_length) {
    fail("write the input of", command->argv[0]);
  }
  close(input[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child;
  double start = microseconds();
  errno = posix_spawnp(&child, command->argv[0], &actions, NULL,
                      (char *const *)command->argv, (char *const *)command->environment);
  if (errno) fail("start", command->argv[0]);
  struct rusage used;
  int status;
  if (wait4(child, &status, 0, &used) != child) fail("wait for", command->argv[0]);
  double end = microseconds();
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[0]);
  close(output[1]);
  if (turn < 0) return;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  printf("%d\t%d\t%.0f\t%.0f\t%ld\t%d\n", turn, index, end - start,
         of_timeval(used.ru_utime) + of_timeval(used.ru_stime), used.ru_maxrss, code);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: pairs TURNS WARM_UP PLAN\n");
    return 2;
  }
  int turns = atoi(argv[1]), warm_up = atoi(argv[2]), count = read_plan(argv[3]);
  for (int turn = -warm_up; turn < turns; turn++) {
    for (int index = 0; index < count; index++) run(&commands[index], turn, index);
  }
  return 0;
}
