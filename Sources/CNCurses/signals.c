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

// Handlers have a stack of their own, because a stack overflow may be the cause of the signal.
enum { handler_stack_size = 64 * 1024 };

static struct sigaction found[NSIG];
static bool is_changed[NSIG];
static int writing_end = -1;

static void record_signal(int signal) {
  int saved_errno = errno;
  uint8_t byte = (uint8_t)signal;
  // A full pipe holds thousands of unread signals, so one more can be dropped.
  (void)!write(writing_end, &byte, 1);
  errno = saved_errno;
}

static void restore_and_die(int signal) {
  static atomic_flag is_dying = ATOMIC_FLAG_INIT;
  // If a second thread traps meanwhile, it waits for the first one to end the process.
  if (atomic_flag_test_and_set(&is_dying))
    for (;;) pause();
  cn_tty_restore_for_good();
  sigaction(signal, &found[signal], NULL);
  // The signal is blocked in its own handler. It is delivered on return, with its previous
  // disposition.
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

// Returns true for the signals that end a program by default, which are all but those that do
// nothing, stop or continue it. SIGKILL and SIGSTOP cannot be caught.
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
  // The Swift runtime may have set one.
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
  for (size_t i = 0; i < count; i++) change(signals[i], record_signal, SA_RESTART);
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
  // Ignored since the start: no shell would continue the program.
  if (!is_changed[SIGTSTP]) return false;
  struct sigaction stop, proceed, ignore = {.sa_handler = SIG_IGN};
  double start = now();
  sigaction(signal, &ignore, &stop);
  // The rest of the job (make, a shell script) stops with the group's signal. This thread raises
  // the signal for itself, because another thread may receive a signal to the process while this
  // one continues.
  kill(0, signal);
  // If another thread blocks the signal, such as in a handler, it stays pending although it is
  // ignored and would stop the program again later. Ignoring it once more drops it.
  sigaction(signal, &ignore, NULL);
  set_default(signal, NULL);
  set_default(SIGCONT, &proceed);
  unblock(signal);
  raise(signal);
  sigaction(SIGCONT, &proceed, NULL);
  sigaction(signal, &stop, NULL);
  // The system does not stop a job that no shell can continue. Only the time shows this: no shell
  // continues a job so soon.
  return now() - start > 0.005;
}

void cn_signals_exit(int signal) {
  set_default(signal, NULL);
  unblock(signal);
  raise(signal);
  _exit(128 + signal);
}
