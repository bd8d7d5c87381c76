/*
 * headers.h - the public headers as texts, for tests that look at what they declare.
 */
#ifndef TEST_BASE_HEADERS_H
#define TEST_BASE_HEADERS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "owned.h"
#include "support.h"

/* What is looked for in a header's text; returns how much of it there is. */
typedef int header_check(const char *path, const char *text);

/* All of the core, of files and of figures; returns the sum. */
static inline int headers_check(header_check *check)
{
    enum { MOST = 1 << 17 };
    static const char *const folders[] = {"", "/formats", "/figures"};
    int found = 0;
    for (int i = 0; i < 3; i++) {
        char folder[1024], path[2048];
        snprintf(folder, sizeof folder, "%s/include/limber%s", LIMBER_SOURCE_DIR, folders[i]);
        DIR *directory = opendir(folder);
        assert_non_null(directory);
        for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
            if (strstr(entry->d_name, ".h") == NULL)
                continue;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            FILE *file = fopen(path, "r");
            owned char *text = calloc(MOST, 1);
            assert_true(file != NULL && text != NULL);
            assert_true(fread(text, 1, MOST - 1, file) < MOST - 1);
            fclose(file);
            found += check(path, text);
        }
        closedir(directory);
    }
    return found;
}

#endif
