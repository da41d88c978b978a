/// The parts of curses, termios and signals that Swift cannot import, in plain types.
///
/// A process has one screen: curses, the terminal's modes and signal dispositions are global. Call
/// these functions from one thread, except those that are safe in a signal handler.

#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Screen (screen.c). Curses writes to a file in memory, not to the terminal. The program
// sends each frame in one write with its own modes around it, and curses does not change termios.

typedef enum {
  CN_SCREEN_OPENED,
  CN_SCREEN_UNKNOWN_TYPE,
  CN_SCREEN_CANNOT_MOVE_CURSOR,
  CN_SCREEN_NO_MEMORY,
} cn_screen_result;

/// The bits of TerminalCore's `Style.Attributes`.
enum {
  CN_BOLD = 1 << 0,
  CN_DIM = 1 << 1,
  CN_UNDERLINE = 1 << 2,
  CN_REVERSE = 1 << 3,
  CN_BLINK = 1 << 4,
  CN_ITALIC = 1 << 5,
};

/// A base character with its marks (0 for none) and its style.
typedef struct {
  uint32_t base;
  uint32_t first_mark;
  uint32_t second_mark;
  uint16_t attributes;
  int16_t pair;
} cn_cell;

cn_screen_result cn_screen_open(const char *terminal_type, bool uses_color);
void cn_screen_close(void);

/// Returns the number of colors; 0 if there are none.
int cn_screen_colors(void);
int cn_screen_pairs(void);
/// Returns true if -1 stands for the terminal's own foreground and background.
bool cn_screen_has_default_colors(void);
bool cn_screen_has_mouse(void);
/// Returns true if the status line is the title of a window: its sequence is an operating system command.
bool cn_screen_has_title(void);
bool cn_screen_define_pair(int16_t pair, int32_t foreground, int32_t background);

void cn_screen_resize(int rows, int columns);
void cn_screen_erase(void);
/// Writes adjacent cells. A wide character is one cell and covers two columns.
void cn_screen_put(int row, int column, const cn_cell *cells, int count);
/// Moves the cursor; row -1 hides it.
void cn_screen_set_cursor(int row, int column);
/// Makes the next update repaint everything.
void cn_screen_invalidate(void);
/// Makes the next update enter the screen again (alternate screen, scroll region) and repaint.
void cn_screen_leave(void);
void cn_screen_update(void);
/// Returns the bytes of the updates since the last call, valid until the next.
const uint8_t *cn_screen_take(size_t *length);
/// Writes the bytes that leave the screen: the cursor in the last row, default colors, attributes
/// and cursor, alternate screen off. Returns their length, at most `capacity`.
size_t cn_screen_leave_bytes(int rows, uint8_t *bytes, size_t capacity);

/// Returns the width of a character in the C library, and so in curses; -1 if it is unknown there.
int cn_width(uint32_t scalar);
/// Sets the character encoding from the name of a locale. Returns true if it is UTF-8.
bool cn_set_locale(const char *name);

// MARK: Terminal (tty.c): its modes, and their restoration on every way out.

/// Saves the terminal's modes for `cn_tty_restore`.
bool cn_tty_open(int input, int output, int error);
/// Restores the terminal and closes its descriptor.
void cn_tty_close(void);
/// Sets the modes in which keys arrive one by one without echo, Ctrl-C and Ctrl-Z included. If
/// standard error is the same terminal, its output is held back.
bool cn_tty_enter(void);
/// Sets the bytes that `cn_tty_restore` writes while the screen is entered.
void cn_tty_set_leave_bytes(const uint8_t *bytes, size_t length);
void cn_tty_screen_entered(void);
/// Leaves the screen, restores the modes and prints the output to standard error that was held
/// back. Does nothing if nothing was changed. Safe in a signal handler, and registered with
/// `atexit`.
void cn_tty_restore(void);
/// The same, and drops what other threads write by the descriptor for frames from then on. A signal ends the process only
/// when its handler has returned, and until then they go on.
void cn_tty_restore_for_good(void);
/// Returns true if this process can use the terminal, and false if another job has it.
bool cn_tty_is_foreground(void);
/// Reads the size of the terminal. Returns false if it is unknown.
bool cn_tty_size(int *rows, int *columns);
/// Opens the terminal of a descriptor again, non-blocking: that mode must not be set on the
/// descriptor shared with the shell. Returns a duplicate of the descriptor if the terminal cannot
/// be opened.
int cn_tty_reopen(int descriptor, bool for_writing);
/// Opens the terminal again for writing, for the frames.
int cn_tty_open_for_frames(int descriptor);
#ifdef __linux__
/// Returns a descriptor that is readable when a terminal is readable, writable or closed; -1 if the
/// process has none left. On Linux, wait for it instead of the terminal's own descriptor: when that
/// hangs up, dispatch can use freed memory, and this one never hangs up.
int cn_tty_watch(int descriptor, bool for_writing);
#endif

// MARK: Signals (signals.c)

/// Writes the number of each of these signals, as one byte, to a pipe. The caller closes both of
/// its ends, after `cn_signals_unwatch` and after the last read. Signals that are ignored at the
/// start stay ignored. Other signals that end a program, traps included, restore the terminal and
/// then have their previous effect.
bool cn_signals_watch(const int *signals, size_t count, int ends[2]);
/// Gives the calling thread a stack for signal handlers, once, so that they run after a stack
/// overflow.
void cn_signals_use_stack(void);
/// Restores all dispositions.
void cn_signals_unwatch(void);
/// Stops this process and its job with SIGTSTP, as Ctrl-Z does, or with SIGTTOU, as the use of
/// another job's terminal does. Returns when it is continued, or false at once if it cannot be
/// stopped.
bool cn_signals_stop(int signal);
/// Ends this process with a signal.
_Noreturn void cn_signals_exit(int signal);

#endif
