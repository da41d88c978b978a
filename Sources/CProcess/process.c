#define _GNU_SOURCE
#include "cprocess.h"

#include "search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifndef MSG_NOSIGNAL
// On Darwin the socket has SO_NOSIGPIPE.
#define MSG_NOSIGNAL 0
#endif

extern char **environ;

static bool has_same_name(const char *one, const char *other) {
  size_t length = strcspn(one, "=");
  return strncmp(one, other, length + 1) == 0;
}

static bool is_replaced(const char *entry, char *const *changes) {
  for (; *changes; changes++)
    if (has_same_name(*changes, entry)) return true;
  return false;
}

static char **merged_environment(char *const *changes) {
  size_t count = 1;
  for (char **entry = environ; entry && *entry; entry++) count++;
  for (char *const *entry = changes; *entry; entry++) count++;
  char **merged = malloc(count * sizeof *merged);
  if (!merged) return NULL;
  size_t length = 0;
  for (char **entry = environ; entry && *entry; entry++)
    if (!is_replaced(*entry, changes)) merged[length++] = *entry;
  for (char *const *entry = changes; *entry; entry++) merged[length++] = *entry;
  merged[length] = NULL;
  return merged;
}

static bool mark_range_close_on_exec(unsigned first) {
#ifdef SYS_close_range
  return syscall(SYS_close_range, first, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */) == 0;
#else
  (void)first;
  return false;
#endif
}

/// Returns the highest open descriptor; where the system does not list them, the highest possible one, within
/// bounds.
static int highest_descriptor(void) {
  DIR *folder = opendir("/dev/fd");
  if (!folder) {
    long limit = sysconf(_SC_OPEN_MAX);
    return limit < 0 || limit > 65536 ? 65535 : (int)limit - 1;
  }
  int highest = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    int descriptor = atoi(entry->d_name);
    if (descriptor > highest) highest = descriptor;
  }
  closedir(folder);
  return highest;
}

/// All that the child needs, made before the fork, because it must not allocate memory.
typedef struct {
  const cp_start *start;
  char **environment;
  /// The paths to try, in turn.
  char **paths;
  /// The arguments of the shell that runs a script without an interpreter's name: room for the path, then the
  /// arguments of the program.
  char **shell_arguments;
  /// The highest descriptor to close; -1 if the system closes all in one call.
  int highest_descriptor;
  /// The descriptor to which the child writes the error.
  int failures;
} preparation;

static void release(preparation *prepared) {
  free(prepared->environment);
  free(prepared->paths);
  free(prepared->shell_arguments);
}

static bool prepare(const cp_start *start, preparation *prepared) {
  size_t count = 0;
  while (start->arguments[count]) count++;
  prepared->start = start;
  prepared->shell_arguments = malloc((count + 2) * sizeof *prepared->shell_arguments);
  prepared->environment = merged_environment(start->environment);
  prepared->paths = NULL;
  if (prepared->environment)
    prepared->paths = paths_of_program(start->arguments[0], prepared->environment);
  if (!prepared->shell_arguments || !prepared->paths) return false;
  static char shell[] = "/bin/sh";
  prepared->shell_arguments[0] = shell;
  memcpy(prepared->shell_arguments + 1, start->arguments,
         (count + 1) * sizeof *prepared->shell_arguments);
  // Beyond all descriptors: this only tests whether the system has the call.
  prepared->highest_descriptor = mark_range_close_on_exec(~0u) ? -1 : highest_descriptor();
  return true;
}

// MARK: In the child: only functions that are safe after a fork in a process with several threads.

static void close_others_on_exec(int highest) {
  if (highest < 0) mark_range_close_on_exec(3);
  for (int descriptor = 3; descriptor <= highest; descriptor++)
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// Does what execvp does, without allocating memory. Returns on failure, with the reason in errno.
static void run(const preparation *prepared) {
  bool is_forbidden = false;
  for (char **path = prepared->paths; *path; path++) {
    execve(*path, prepared->start->arguments, prepared->environment);
    if (errno == ENOEXEC) {
      prepared->shell_arguments[1] = *path;
      execve(prepared->shell_arguments[0], prepared->shell_arguments, prepared->environment);
      return;
    }
    if (errno == EACCES) is_forbidden = true;
    else if (errno != ENOENT && errno != ENOTDIR) return;
  }
  if (is_forbidden) errno = EACCES;
}

static bool place(int descriptor, int stream) {
  if (descriptor == stream) return fcntl(stream, F_SETFD, 0) == 0;
  if (descriptor >= 0) return dup2(descriptor, stream) >= 0;
  // The stream's own number is free for it, even where no other is.
  close(stream);
  int opened = open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  if (opened == stream || opened < 0) return opened == stream;
  bool is_placed = dup2(opened, stream) >= 0;
  close(opened);
  return is_placed;
}

static void write_identifier(int registrar) {
  char digits[24], *start = digits + sizeof digits;
  *--start = '\n';
  for (pid_t rest = getpid(); rest > 0; rest /= 10) *--start = (char)('0' + rest % 10);
  *--start = ' ';
  *--start = '+';
  send(registrar, start, (size_t)(digits + sizeof digits - start), MSG_NOSIGNAL);
}

static void become(const preparation *prepared) {
  const cp_start *start = prepared->start;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &usual, NULL);
  bool leads = start->starts_session ? setsid() >= 0 : setpgid(0, 0) == 0;
  if (leads && start->registrar >= 0) write_identifier(start->registrar);
  if (leads && place(start->output, STDOUT_FILENO) && place(start->error, STDERR_FILENO) &&
      place(start->input, STDIN_FILENO)) {
    close_others_on_exec(prepared->highest_descriptor);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    run(prepared);
  }
  int error = errno;
  (void)!write(prepared->failures, &error, sizeof error);
  _exit(127);
}

// MARK: In the parent

static int open_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

static int failure_of(int failures) {
  int error = 0;
  ssize_t count;
  do count = read(failures, &error, sizeof error);
  while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

int cp_process_start(const cp_start *start, pid_t *process) {
  *process = 0;
  if (!start->arguments[0]) return ENOENT;
  int failures[2];
  if (open_pipe(failures) != 0) return errno;
  preparation prepared = {.failures = failures[1]};
  if (!prepare(start, &prepared)) {
    release(&prepared);
    close(failures[0]);
    close(failures[1]);
    return ENOMEM;
  }
  // A handler of ours must not run in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  int error = child < 0 ? errno : 0;
  if (child == 0) become(&prepared);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(failures[1]);
  if (child > 0) {
    *process = child;
    error = failure_of(failures[0]);
    if (error != 0)
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
      }
  }
  close(failures[0]);
  release(&prepared);
  return error;
}

void cp_use_one_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}
