/// Starts programs: the one thing that needs code between `fork` and `exec`, where nothing of Swift may run.
///
/// It takes the place of swift-subprocess 1.0.2 for two reasons. A command registers itself with the guardian
/// before it becomes its program, so that none can be missed; and with few descriptors left, swift-subprocess
/// could end the process, or lose the end of a command whose pidfd it could not open.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct {
  /// The program, looked up in PATH unless it has a `/`, and its arguments; the last is NULL.
  char *const *arguments;
  /// `NAME=VALUE`, beside what is inherited or in its place; the last is NULL.
  char *const *environment;
  /// The descriptors that become 0, 1 and 2; -1 for the null device. Nothing else is inherited.
  int input, output, error;
  /// A socket to which the process writes `+ ID` and a newline before it becomes the program; -1 for none.
  int registrar;
  /// Starts a session in place of a process group.
  bool starts_session;
} cp_start;

/// Starts a program in a process group or session of its own, with no signal blocked or ignored.
/// Returns 0 and the process, or the error for which nothing was started. `registrar` may then hold the
/// number of a process that is gone, which `process` tells as well.
int cp_process_start(const cp_start *start, pid_t *process);

#endif
