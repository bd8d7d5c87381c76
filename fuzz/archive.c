/* archive.c - archives of arrays from the bytes of a test case. */
#include "archive.h"

bool fuzz_archive(fuzz_bytes bytes, const char *const *names, int count, zip_writer *zip)
{
    lb_error error;
    zip_begin(zip, NULL);
    while (bytes.left > 0) {
        char name[ZIP_NAME_SIZE];
        int which = fuzz_choice(&bytes, count + 1);
        snprintf(name, sizeof name, "%s.npy", which < count ? names[which] : "other");
        size_t length = fuzz_byte(&bytes);
        length |= (size_t)fuzz_byte(&bytes) << 8;
        length = length < bytes.left ? length : bytes.left;
        zip_open(zip, name);
        zip_put(zip, bytes.at, length);
        zip_close(zip);
        bytes.at += length;
        bytes.left -= length;
    }
    return zip_end(zip, &error) == LB_OK;
}
