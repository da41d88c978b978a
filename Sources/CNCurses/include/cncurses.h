/// What Swift cannot import of curses, termios and signals, in plain types and nothing else.
///
/// There is one screen in a process: curses, the terminal's modes and signal dispositions are all
/// global. Everything here is called from one thread, except what is said to be safe in a handler.

#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Screen (screen.c). Curses writes into a file in memory, never to the terminal: a frame
// leaves in one write, the program's own modes stand around it, and curses touches no termios.

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

/// A base and its marks (0 for none), and how they look.
typedef struct {
  uint32_t base;
  uint32_t first_mark;
  uint32_t second_mark;
  uint16_t attributes;
  int16_t pair;
} cn_cell;

cn_screen_result cn_screen_open(const char *terminal_type, bool uses_color);
void cn_screen_close(void);

/// 0 where there is no colour.
int cn_screen_colors(void);
int cn_screen_pairs(void);
/// Whether -1 may be used for the terminal's own foreground and background.
bool cn_screen_has_default_colors(void);
bool cn_screen_has_mouse(void);
bool cn_screen_define_pair(int16_t pair, int16_t foreground, int16_t background);

void cn_screen_resize(int rows, int columns);
void cn_screen_erase(void);
/// Places cells that stand next to each other; a wide one counts once and covers two columns.
void cn_screen_put(int row, int column, const cn_cell *cells, int count);
/// Row -1 hides the cursor.
void cn_screen_set_cursor(int row, int column);
/// The next update repaints everything.
void cn_screen_invalidate(void);
/// The next update enters the screen anew (alternate screen, scroll region) and repaints.
void cn_screen_leave(void);
void cn_screen_update(void);
/// The bytes of updates since the last call; valid until the next.
const uint8_t *cn_screen_take(size_t *length);
/// What takes a terminal out of the screen: cursor to the last row, colours, attributes and
/// cursor as usual, the alternate screen left. Returns the length, at most `capacity`.
size_t cn_screen_leave_bytes(int rows, uint8_t *bytes, size_t capacity);

/// The columns that this C library, and so curses, gives a character; -1 for one it knows not.
int cn_width(uint32_t scalar);
/// Sets the character encoding from a locale's name. Returns whether it is UTF-8.
bool cn_set_locale(const char *name);

// MARK: Memory (memory.c)

/// Keeps threads from a heap of their own each, for which glibc reserves 64 MiB of addresses: few
/// threads do not stand in one another's way, and a limit on addresses is soon reached.
void cn_memory_share_heap(void);

// MARK: Terminal (tty.c): modes, and putting everything back, whatever happens.

/// Remembers how the terminal is, so that `cn_tty_restore` can put it back.
bool cn_tty_open(int input, int output, int error);
/// Restores the terminal and lets go of it.
void cn_tty_close(void);
/// Keys come one by one and unechoed, Ctrl-C and Ctrl-Z among them. Standard error, where it is
/// the same terminal, is kept for later.
bool cn_tty_enter(void);
/// What `cn_tty_restore` writes when the screen is entered.
void cn_tty_set_leave_bytes(const uint8_t *bytes, size_t length);
void cn_tty_screen_entered(void);
/// Leaves the screen, puts the modes back and prints what was kept of standard error. Does nothing
/// where nothing is to be put back. Safe in a signal handler, and registered with `atexit`.
void cn_tty_restore(void);
/// Whether this process may use the terminal, or another job has it.
bool cn_tty_is_foreground(void);
/// False where the terminal does not say.
bool cn_tty_size(int *rows, int *columns);
/// A descriptor of our own of a terminal: non-blocking, which must not be set on the one shared
/// with the shell. Falls back to a duplicate of a descriptor where the terminal cannot be opened.
int cn_tty_reopen(int descriptor, bool for_writing);
#ifdef __linux__
/// A descriptor that can be read when a terminal can be read, or written to, or has gone away; -1
/// where the system has none left. To be waited on in place of the terminal's own on Linux: when that
/// hangs up, dispatch can go on with memory it has just freed, and this one never hangs up.
int cn_tty_watch(int descriptor, bool for_writing);
#endif

// MARK: Signals (signals.c)

/// Writes the number of each of these signals, as one byte, to a pipe. Its ends, for reading and for
/// writing, are the caller's to close when nobody watches them any more; not before
/// `cn_signals_unwatch`. Signals ignored at the start stay ignored. Others that end a program, traps
/// among them, restore the terminal first and then do what they did before.
bool cn_signals_watch(const int *signals, size_t count, int ends[2]);
/// Gives the calling thread a stack of its own for handlers, once, so that they run when the thread's has
/// run out.
void cn_signals_use_stack(void);
/// Puts every disposition back as it was found.
void cn_signals_unwatch(void);
/// Stops this process and its job by SIGTSTP, as Ctrl-Z does, or by SIGTTOU, as the use of another
/// job's terminal does. Returns when it is continued, or false at once where it cannot be stopped.
bool cn_signals_stop(int signal);
/// Ends this process by a signal.
_Noreturn void cn_signals_die(int signal);

#endif
