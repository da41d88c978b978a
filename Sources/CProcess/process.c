#define _GNU_SOURCE
#include "cprocess.h"

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

// MARK: In the child: only functions that are safe after a fork in a process with several threads.

static void close_others_on_exec(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */) == 0) return;
#endif
  long limit = sysconf(_SC_OPEN_MAX);
  if (limit < 0 || limit > 65536) limit = 65536;
  for (int descriptor = 3; descriptor < limit; descriptor++)
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
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

static void become(const cp_start *start, char **environment, int failures) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &usual, NULL);
  bool leads = start->starts_session ? setsid() >= 0 : setpgid(0, 0) == 0;
  if (leads && start->registrar >= 0) write_identifier(start->registrar);
  if (leads && place(start->output, STDOUT_FILENO) && place(start->error, STDERR_FILENO) &&
      place(start->input, STDIN_FILENO)) {
    close_others_on_exec();
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    environ = environment;
    execvp(start->arguments[0], start->arguments);
  }
  int error = errno;
  (void)!write(failures, &error, sizeof error);
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
  int failures[2];
  if (open_pipe(failures) != 0) return errno;
  char **environment = merged_environment(start->environment);
  if (!environment) {
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
  if (child == 0) become(start, environment, failures[1]);
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
  free(environment);
  return error;
}
