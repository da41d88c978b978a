#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
// Included before term.h, which defines macros with common names such as columns.
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
static bool is_entering;

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

// newterm installs handlers for these signals, which would write to the terminal between frames.
static const int caught[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
enum { caught_count = sizeof caught / sizeof *caught };

// newterm takes the size of the screen from variables, and fails if that is huge. The size of the window, which is read
// later, replaces it.
static char *hide_unless_size(const char *name) {
  const char *value = getenv(name);
  if (!value) return NULL;
  char *end;
  long number = strtol(value, &end, 10);
  if (*end == '\0' && number >= 1 && number <= 1000) return NULL;
  char *copy = strdup(value);
  if (copy) unsetenv(name);
  return copy;
}

static void restore(const char *name, char *value) {
  if (!value) return;
  setenv(name, value, 1);
  free(value);
}

// Most string parameters are const on Linux, but not in Apple's curses.h. NCURSES_CONST is defined
// accordingly.
static SCREEN *open_screen(const char *terminal_type) {
  struct sigaction found[caught_count];
  for (int i = 0; i < caught_count; i++) sigaction(caught[i], NULL, &found[i]);
  char *hidden_lines = hide_unless_size("LINES");
  char *hidden_columns = hide_unless_size("COLUMNS");
  SCREEN *opened = newterm((NCURSES_CONST char *)terminal_type, collector, collector);
  restore("LINES", hidden_lines);
  restore("COLUMNS", hidden_columns);
  for (int i = 0; i < caught_count; i++) sigaction(caught[i], &found[i], NULL);
  return opened;
}

/// Returns a capability of the terminal; NULL if it has none.
static const char *value_of(const char *capability) {
  const char *value = tigetstr((NCURSES_CONST char *)capability);
  return value == (const char *)-1 ? NULL : value;
}

cn_screen_result cn_screen_open(const char *terminal_type, bool uses_color) {
  collector = open_collector();
  if (!collector) return CN_SCREEN_NO_MEMORY;
  screen = open_screen(terminal_type);
  if (!screen) {
    cn_screen_close();
    return CN_SCREEN_UNKNOWN_TYPE;
  }
  if (!value_of("cup")) {
    cn_screen_close();
    return CN_SCREEN_CANNOT_MOVE_CURSOR;
  }
  typeahead(-1);
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

// MARK: Capabilities

int cn_screen_colors(void) { return colors; }
int cn_screen_pairs(void) { return COLOR_PAIRS; }
bool cn_screen_has_default_colors(void) { return has_default_colors; }
bool cn_screen_has_mouse(void) { return value_of("kmous") != NULL; }
bool cn_screen_has_title(void) {
  const char *start = value_of("tsl");
  return start && value_of("fsl") && strncmp(start, "\033]", 2) == 0;
}

bool cn_screen_define_pair(int16_t pair, int32_t foreground, int32_t background) {
#if NCURSES_EXT_COLORS
  return init_extended_pair(pair, foreground, background) == OK;
#else
  return init_pair(pair, (short)foreground, (short)background) == OK;
#endif
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
  is_entering = true;
}

void cn_screen_update(void) { refresh(); }

// MARK: Bytes

/// Removes the reset of the palette that curses sends when it enters the screen: curses does not
/// change the palette, but the user may have.
static void drop_palette_reset(size_t *length) {
  const char *reset = value_of("oc");
  uint8_t *found = reset ? memmem(taken, *length, reset, strlen(reset)) : NULL;
  if (!found) return;
  uint8_t *rest = found + strlen(reset);
  *length -= strlen(reset);
  memmove(found, rest, (size_t)(taken + *length - found));
}

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
  if (is_entering) drop_palette_reset(length);
  is_entering = false;
  return taken;
}

static uint8_t *leave_bytes;
static size_t leave_length, leave_capacity;

static int append_leave_byte(int byte) {
  if (leave_length < leave_capacity) leave_bytes[leave_length++] = (uint8_t)byte;
  return byte;
}

static void append_leave(const char *sequence) {
  if (sequence) tputs(sequence, 1, append_leave_byte);
}

size_t cn_screen_leave_bytes(int rows, uint8_t *bytes, size_t capacity) {
  leave_bytes = bytes;
  leave_length = 0;
  leave_capacity = capacity;
  append_leave(value_of("op"));
  append_leave(value_of("sgr0"));
  append_leave(tparm((NCURSES_CONST char *)value_of("cup"), rows - 1, 0, 0, 0, 0, 0, 0, 0, 0));
  append_leave(value_of("el"));
  append_leave(value_of("cnorm"));
  append_leave(value_of("rmcup"));
  append_leave("\r");
  leave_bytes = NULL;
  return leave_length;
}

// MARK: Characters

int cn_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

static bool is_utf8(void) { return strcasecmp(nl_langinfo(CODESET), "UTF-8") == 0; }

bool cn_set_locale(const char *name) {
  bool wants_utf8;
  if (setlocale(LC_CTYPE, name)) {
    wants_utf8 = is_utf8();
  } else {
    // A locale that is not installed still says which encoding the terminal has.
    const char *encoding = strchr(name, '.');
    wants_utf8 = encoding && (strncasecmp(encoding, ".UTF-8", 6) == 0 ||
                              strncasecmp(encoding, ".UTF8", 5) == 0);
  }
  // Curses needs an encoding that holds every character, even where only ASCII is sent.
  static const char *const fallbacks[] = {"C.UTF-8", "en_US.UTF-8"};
  for (int i = 0; i < 2 && !is_utf8(); i++) setlocale(LC_CTYPE, fallbacks[i]);
  return wants_utf8 && is_utf8();
}
