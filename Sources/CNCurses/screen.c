#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
// Before term.h, whose macros take words such as columns.
#include "cncurses.h"

#include <curses.h>
#include <term.h>

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

static SCREEN *screen;
static FILE *collector;
static int colors;
static bool has_default_colors;
static uint8_t *taken;
static size_t taken_capacity;

// MARK: Opening

static FILE *open_collector(void) {
#ifdef __linux__
  int descriptor = memfd_create("screen", MFD_CLOEXEC);
  if (descriptor < 0) return tmpfile();
  FILE *file = fdopen(descriptor, "w+");
  if (!file) close(descriptor);
  return file;
#else
  return tmpfile();
#endif
}

// newterm catches these for itself, and its handlers would use the terminal behind our back.
static const int caught[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
enum { caught_count = sizeof caught / sizeof *caught };

static SCREEN *open_screen(const char *terminal_type) {
  struct sigaction found[caught_count];
  for (int i = 0; i < caught_count; i++) sigaction(caught[i], NULL, &found[i]);
  // The size comes from the terminal, never from LINES and COLUMNS.
  use_env(FALSE);
  SCREEN *opened = newterm(terminal_type, collector, collector);
  for (int i = 0; i < caught_count; i++) sigaction(caught[i], &found[i], NULL);
  return opened;
}

static bool has(const char *capability) {
  const char *value = tigetstr(capability);
  return value && value != (const char *)-1;
}

cn_screen_result cn_screen_open(const char *terminal_type, bool uses_color) {
  collector = open_collector();
  if (!collector) return CN_SCREEN_NO_MEMORY;
  screen = open_screen(terminal_type);
  if (!screen) {
    cn_screen_close();
    return CN_SCREEN_UNKNOWN_TYPE;
  }
  if (!has("cup")) {
    cn_screen_close();
    return CN_SCREEN_CANNOT_MOVE_CURSOR;
  }
  typeahead(-1);
  // Curses would reset the whole palette, which it never changes but the user may have.
  orig_colors = NULL;
  idlok(stdscr, FALSE);
  idcok(stdscr, FALSE);
  bool is_colored = uses_color && has_colors() && start_color() == OK;
  colors = is_colored ? COLORS : 0;
  has_default_colors = is_colored && use_default_colors() == OK;
  cn_screen_leave();
  return CN_SCREEN_OPENED;
}

void cn_screen_close(void) {
  if (screen) {
    endwin();
    delscreen(screen);
  }
  if (collector) fclose(collector);
  free(taken);
  screen = NULL;
  collector = NULL;
  taken = NULL;
  taken_capacity = 0;
}

// MARK: What the terminal can do

int cn_screen_colors(void) { return colors; }
int cn_screen_pairs(void) { return COLOR_PAIRS; }
bool cn_screen_has_default_colors(void) { return has_default_colors; }
bool cn_screen_has_mouse(void) { return has("kmous"); }

bool cn_screen_define_pair(int16_t pair, int16_t foreground, int16_t background) {
  return init_pair(pair, foreground, background) == OK;
}

// MARK: Drawing

void cn_screen_resize(int rows, int width) { resizeterm(rows, width); }
void cn_screen_erase(void) { erase(); }
void cn_screen_invalidate(void) { clearok(curscr, TRUE); }

static attr_t attributes_of(uint16_t flags) {
  attr_t attributes = A_NORMAL;
  if (flags & CN_BOLD) attributes |= A_BOLD;
  if (flags & CN_DIM) attributes |= A_DIM;
  if (flags & CN_UNDERLINE) attributes |= A_UNDERLINE;
  if (flags & CN_REVERSE) attributes |= A_REVERSE;
  if (flags & CN_BLINK) attributes |= A_BLINK;
#ifdef A_ITALIC
  if (flags & CN_ITALIC) attributes |= A_ITALIC;
#endif
  return attributes;
}

void cn_screen_put(int row, int column, const cn_cell *cells, int count) {
  enum { batch = 64 };
  cchar_t row_cells[batch];
  move(row, column);
  while (count > 0) {
    int size = count < batch ? count : batch;
    int width = 0;
    for (int i = 0; i < size; i++) {
      wchar_t text[] = {
          (wchar_t)cells[i].base, (wchar_t)cells[i].first_mark, (wchar_t)cells[i].second_mark, 0};
      setcchar(&row_cells[i], text, attributes_of(cells[i].attributes), cells[i].pair, NULL);
      width += cn_width(cells[i].base) == 2 ? 2 : 1;
    }
    mvadd_wchnstr(row, column, row_cells, size);
    column += width;
    cells += size;
    count -= size;
  }
}

void cn_screen_set_cursor(int row, int column) {
  leaveok(stdscr, row < 0);
  curs_set(row < 0 ? 0 : 1);
  if (row >= 0) move(row, column);
}

void cn_screen_leave(void) {
  endwin();
  size_t discarded;
  cn_screen_take(&discarded);
}

void cn_screen_update(void) { refresh(); }

// MARK: Bytes

const uint8_t *cn_screen_take(size_t *length) {
  int descriptor = fileno(collector);
  off_t end = lseek(descriptor, 0, SEEK_CUR);
  *length = 0;
  if (end <= 0) return taken;
  if ((size_t)end > taken_capacity) {
    uint8_t *grown = realloc(taken, (size_t)end);
    if (!grown) return taken;
    taken = grown;
    taken_capacity = (size_t)end;
  }
  ssize_t count = pread(descriptor, taken, (size_t)end, 0);
  lseek(descriptor, 0, SEEK_SET);
  *length = count > 0 ? (size_t)count : 0;
  return taken;
}

static uint8_t *leave_bytes;
static size_t leave_length, leave_capacity;

static int append_leave_byte(int byte) {
  if (leave_length < leave_capacity) leave_bytes[leave_length++] = (uint8_t)byte;
  return byte;
}

static void append_leave(const char *sequence) {
  if (sequence && sequence != (const char *)-1) tputs(sequence, 1, append_leave_byte);
}

size_t cn_screen_leave_bytes(int rows, uint8_t *bytes, size_t capacity) {
  leave_bytes = bytes;
  leave_length = 0;
  leave_capacity = capacity;
  append_leave(tigetstr("op"));
  append_leave(tigetstr("sgr0"));
  append_leave(tparm(tigetstr("cup"), rows - 1, 0, 0, 0, 0, 0, 0, 0, 0));
  append_leave(tigetstr("el"));
  append_leave(tigetstr("cnorm"));
  append_leave(tigetstr("rmcup"));
  append_leave("\r");
  leave_bytes = NULL;
  return leave_length;
}

// MARK: Characters

int cn_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

bool cn_set_locale(const char *name) {
  if (setlocale(LC_CTYPE, name)) {
    if (strcasecmp(nl_langinfo(CODESET), "UTF-8") == 0) return true;
    // Curses needs an encoding that holds every character; what is sent stays ASCII then.
    setlocale(LC_CTYPE, "C.UTF-8");
    return false;
  }
  // A locale that is not installed still says which encoding the terminal has.
  setlocale(LC_CTYPE, "C.UTF-8");
  const char *encoding = strchr(name, '.');
  return encoding &&
         (strncasecmp(encoding, ".UTF-8", 6) == 0 || strncasecmp(encoding, ".UTF8", 5) == 0);
}
