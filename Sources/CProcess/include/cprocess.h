/// Starts programs. This needs code between `fork` and `exec`, where no Swift code may run.
///
/// It replaces swift-subprocess 1.0.2 for two reasons. A command registers itself with the guardian before
/// `exec`, so that none can be missed; and with few descriptors left, swift-subprocess could end the process,
/// or miss the end of a command whose pidfd it could not open.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct {
  /// The program, looked up in PATH unless it has a `/`, and its arguments; the last is NULL.
  char *const *arguments;
  /// `NAME=VALUE`, added to the inherited variables or replacing them; the last is NULL.
  char *const *environment;
  /// The descriptors that become 0, 1 and 2; -1 for the null device. Nothing else is inherited.
  int input, output, error;
  /// A socket to which the process writes `+ ID` and a newline before it becomes the program; -1 for none.
  int registrar;
  /// Starts a session in place of a process group.
  bool starts_session;
} cp_start;

/// Starts a program in a process group or session of its own, with no signal blocked or ignored.
/// Returns 0 and the process, or the error for which nothing was started. In that case `process`, and a line
/// sent to `registrar`, may name a process that has ended already.
int cp_process_start(const cp_start *start, pid_t *process);

/// Lets all threads allocate from one heap. In the GNU C library, each of the first threads has one otherwise: it reserves
/// 64 MiB of addresses for it, which soon reaches a limit on addresses, and memory that is free in one heap is of no use
/// to another. A few threads do not compete for one heap.
void cp_use_one_heap(void);

#endif
