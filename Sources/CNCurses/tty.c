#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

#include "cncurses.h"

static struct {
  pid_t owner;
  int input, output, error;
  // The descriptor to which other threads write frames.
  _Atomic int frames;
  struct termios found;
  _Atomic bool has_modes, has_screen;
  uint8_t leave[512];
  size_t leave_length;
  // Standard error while the screen is on: its real descriptor and the file that holds its output;
  // -1 for none.
  _Atomic int real_error;
  int held_error;
} tty = {.input = -1, .output = -1, .error = -1, .frames = -1, .real_error = -1, .held_error = -1};

// MARK: Entering

bool cn_tty_open(int input, int output, int error) {
  static bool is_registered;
  if (tcgetattr(input, &tty.found) != 0) return false;
  tty.owner = getpid();
  tty.input = input;
  tty.output = cn_tty_reopen(output, true);
  tty.error = error;
  if (!is_registered) is_registered = atexit(cn_tty_restore) == 0;
  return tty.output >= 0;
}

void cn_tty_close(void) {
  atomic_store(&tty.frames, -1);
  cn_tty_restore();
  if (tty.output >= 0) close(tty.output);
  tty.output = -1;
}

static int open_held_error(void) {
#ifdef __linux__
  int file = memfd_create("stderr", MFD_CLOEXEC);
#else
  char path[] = "/tmp/carillon-stderr-XXXXXX";
  int file = mkstemp(path);
  if (file >= 0) {
    unlink(path);
    fcntl(file, F_SETFD, FD_CLOEXEC);
  }
#endif
  if (file >= 0) fcntl(file, F_SETFL, O_APPEND);
  return file;
}

static bool is_error_on_screen(void) {
  struct stat error, output;
  return isatty(tty.error) && fstat(tty.error, &error) == 0 && fstat(tty.output, &output) == 0 &&
         error.st_rdev == output.st_rdev;
}

static void hold_error(void) {
  if (!is_error_on_screen()) return;
  int file = open_held_error();
  if (file < 0) return;
  int real = fcntl(tty.error, F_DUPFD_CLOEXEC, 3);
  if (real < 0 || dup2(file, tty.error) < 0) {
    close(file);
    if (real >= 0) close(real);
    return;
  }
  tty.held_error = file;
  atomic_store(&tty.real_error, real);
}

bool cn_tty_enter(void) {
  // Another program may have changed the modes since they were restored.
  if (!atomic_load(&tty.has_modes)) tcgetattr(tty.input, &tty.found);
  struct termios modes = tty.found;
  modes.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | IGNCR | INLCR | ISTRIP | IXOFF | IXON | PARMRK);
  modes.c_oflag &= ~(tcflag_t)OPOST;
  modes.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  atomic_store(&tty.has_modes, true);
  while (tcsetattr(tty.input, TCSANOW, &modes) != 0)
    if (errno != EINTR) {
      atomic_store(&tty.has_modes, false);
      return false;
    }
  if (atomic_load(&tty.real_error) < 0) hold_error();
  return true;
}

void cn_tty_set_leave_bytes(const uint8_t *bytes, size_t length) {
  tty.leave_length = length < sizeof tty.leave ? length : sizeof tty.leave;
  memcpy(tty.leave, bytes, tty.leave_length);
}

void cn_tty_screen_entered(void) { atomic_store(&tty.has_screen, true); }

// MARK: Restoring

static void write_all(int descriptor, const uint8_t *bytes, size_t length) {
  int attempts = 8;
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    } else if (count < 0 && errno == EAGAIN && attempts-- > 0) {
      // A terminal that has stopped reading must not keep the program from ending. When it reads
      // again, it gets these bytes and not the rest of a frame.
      tcflush(descriptor, TCOFLUSH);
      struct pollfd writable = {.fd = descriptor, .events = POLLOUT};
      poll(&writable, 1, 50);
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

static void release_error(void) {
  int real = atomic_exchange(&tty.real_error, -1);
  if (real < 0) return;
  dup2(real, tty.error);
  uint8_t buffer[4096];
  off_t offset = 0;
  ssize_t count;
  while ((count = pread(tty.held_error, buffer, sizeof buffer, offset)) > 0) {
    write_all(real, buffer, (size_t)count);
    offset += count;
  }
  close(tty.held_error);
  close(real);
}

void cn_tty_restore(void) {
  // A child process that ends before exec leaves the terminal to its parent.
  if (getpid() != tty.owner) return;
  int saved_errno = errno;
  if (atomic_exchange(&tty.has_screen, false)) write_all(tty.output, tty.leave, tty.leave_length);
  if (atomic_exchange(&tty.has_modes, false) && cn_tty_is_foreground())
    while (tcsetattr(tty.input, TCSANOW, &tty.found) != 0 && errno == EINTR) {
    }
  release_error();
  errno = saved_errno;
}

void cn_tty_restore_for_good(void) {
  int frames = atomic_exchange(&tty.frames, -1);
  int nowhere = frames < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, frames);
  cn_tty_restore();
}

// MARK: State

bool cn_tty_is_foreground(void) {
  pid_t foreground = tcgetpgrp(tty.input);
  // Without a foreground group this is not the controlling terminal, and job control does not
  // apply.
  return foreground < 0 || foreground == getpgrp();
}

bool cn_tty_size(int *rows, int *columns) {
  struct winsize size;
  if (ioctl(tty.output, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
    return false;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return true;
}

int cn_tty_reopen(int descriptor, bool for_writing) {
  char path[256];
  if (ttyname_r(descriptor, path, sizeof path) == 0) {
    int flags = (for_writing ? O_WRONLY : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int opened = open(path, flags);
    if (opened >= 0) return opened;
  }
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

int cn_tty_open_for_frames(int descriptor) {
  int opened = cn_tty_reopen(descriptor, true);
  atomic_store(&tty.frames, opened);
  return opened;
}

#ifdef __linux__
int cn_tty_watch(int descriptor, bool for_writing) {
  int watch = epoll_create1(EPOLL_CLOEXEC);
  if (watch < 0) return -1;
  struct epoll_event event = {.events = for_writing ? EPOLLOUT : EPOLLIN};
  if (epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) == 0) return watch;
  close(watch);
  return -1;
}
#endif
