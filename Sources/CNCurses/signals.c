#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cncurses.h"

// A stack for handlers: the thread's own may be what has run out.
enum { handler_stack_size = 64 * 1024 };

static struct sigaction found[NSIG];
static bool is_changed[NSIG];
static int writing_end = -1;

static void note(int signal) {
  int saved_errno = errno;
  uint8_t byte = (uint8_t)signal;
  // A full pipe holds thousands of signals that nobody has read yet: one more says nothing new.
  (void)!write(writing_end, &byte, 1);
  errno = saved_errno;
}

static void restore_and_die(int signal) {
  static atomic_flag is_dying = ATOMIC_FLAG_INIT;
  // A second thread that traps meanwhile waits for the first to end the process.
  if (atomic_flag_test_and_set(&is_dying))
    for (;;) pause();
  cn_tty_restore();
  sigaction(signal, &found[signal], NULL);
  // Blocked in its own handler: it strikes on return, and finds what was there before.
  raise(signal);
}

static void change(int signal, void (*handler)(int), int flags) {
  struct sigaction current, action = {.sa_handler = handler, .sa_flags = flags};
  if (sigaction(signal, NULL, &current) != 0) return;
  if (current.sa_handler == SIG_IGN || is_changed[signal]) return;
  sigfillset(&action.sa_mask);
  found[signal] = current;
  is_changed[signal] = sigaction(signal, &action, NULL) == 0;
}

// What ends a program unless somebody handles it: all there is but those that by default do nothing,
// stop or continue. KILL and STOP cannot be caught.
static bool is_fatal(int signal) {
  switch (signal) {
    case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT:
    case SIGCHLD: case SIGURG: case SIGWINCH:
#ifdef __APPLE__
    case SIGIO: case SIGINFO:
#endif
      return false;
    default: return true;
  }
}

static pthread_key_t handler_stack;

static void drop_handler_stack(void *stack) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  free(stack);
}

static void make_handler_stack_key(void) { pthread_key_create(&handler_stack, drop_handler_stack); }

void cn_signals_use_stack(void) {
  static _Thread_local bool is_done;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (is_done) return;
  is_done = true;
  stack_t current;
  // The language's runtime may have set one.
  if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE)) return;
  stack_t own = {.ss_size = handler_stack_size, .ss_sp = malloc(handler_stack_size)};
  if (!own.ss_sp) return;
  pthread_once(&once, make_handler_stack_key);
  if (sigaltstack(&own, NULL) != 0 || pthread_setspecific(handler_stack, own.ss_sp) != 0)
    drop_handler_stack(own.ss_sp);
}

bool cn_signals_watch(const int *signals, size_t count, int ends[2]) {
  if (pipe(ends) != 0) return false;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  }
  writing_end = ends[1];
  for (size_t i = 0; i < count; i++) change(signals[i], note, SA_RESTART);
  cn_signals_use_stack();
  for (int signal = 1; signal < NSIG; signal++)
    if (is_fatal(signal)) change(signal, restore_and_die, SA_ONSTACK);
  return true;
}

void cn_signals_unwatch(void) {
  for (int signal = 1; signal < NSIG; signal++) {
    if (is_changed[signal]) sigaction(signal, &found[signal], NULL);
    is_changed[signal] = false;
  }
  writing_end = -1;
}

static void set_default(int signal, struct sigaction *previous) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, previous);
}

static void unblock(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

bool cn_signals_stop(int signal) {
  // Ignored from the start: nobody is there to continue it.
  if (!is_changed[SIGTSTP]) return false;
  struct sigaction stop, proceed, ignore = {.sa_handler = SIG_IGN};
  double start = now();
  sigaction(signal, &ignore, &stop);
  // The others of the job (make, a shell script) stop by the group's signal; this thread by one of
  // its own, since a signal to the process may be taken by another thread while this one runs on.
  kill(0, signal);
  // Where another thread has it blocked, in a handler of ours perhaps, it is kept in spite of being
  // ignored, and would stop us once more later: ignoring it again drops it.
  sigaction(signal, &ignore, NULL);
  set_default(signal, NULL);
  set_default(SIGCONT, &proceed);
  unblock(signal);
  raise(signal);
  sigaction(SIGCONT, &proceed, NULL);
  sigaction(signal, &stop, NULL);
  // The system stops no job that no shell could continue; nothing else tells, and no shell
  // continues one so soon.
  return now() - start > 0.005;
}

void cn_signals_die(int signal) {
  set_default(signal, NULL);
  unblock(signal);
  raise(signal);
  _exit(128 + signal);
}
