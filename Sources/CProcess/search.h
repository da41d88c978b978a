#ifndef CPROCESS_SEARCH_H
#define CPROCESS_SEARCH_H

/// Returns the paths at which a program of that name may be: the name itself if it has a `/`, otherwise one for
/// each folder of the environment's PATH. The last is NULL. The caller frees them as one block. Returns NULL if no
/// memory is left.
char **paths_of_program(const char *name, char *const *environment);

#endif
