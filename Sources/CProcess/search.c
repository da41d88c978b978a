#include "search.h"

#include <stdlib.h>
#include <string.h>

static const char *search_path(char *const *environment) {
  for (; *environment; environment++)
    if (strncmp(*environment, "PATH=", 5) == 0) return *environment + 5;
  return "/bin:/usr/bin";
}

char **paths_of_program(const char *name, char *const *environment) {
  const char *folders = strchr(name, '/') || !*name ? "" : search_path(environment);
  size_t name_size = strlen(name) + 1, count = 1;
  for (const char *c = folders; *c; c++)
    if (*c == ':') count++;
  // Each path has its folder, a slash and the name.
  size_t text_size = strlen(folders) + count * (name_size + 1);
  char **paths = malloc((count + 1) * sizeof *paths + text_size);
  if (!paths) return NULL;
  char *text = (char *)(paths + count + 1);
  for (size_t i = 0; i < count; i++) {
    paths[i] = text;
    size_t length = strcspn(folders, ":");
    memcpy(text, folders, length);
    text += length;
    // An empty folder is the current one.
    if (length > 0) *text++ = '/';
    memcpy(text, name, name_size);
    text += name_size;
    folders += length + 1;
  }
  paths[count] = NULL;
  return paths;
}
