/* fuzz.c - reading a test case from its bytes, and texts that are written. */
#include "fuzz.h"

#include <float.h>
#include <math.h>
#include <string.h>

uint8_t fuzz_byte(fuzz_bytes *bytes)
{
    if (bytes->left == 0)
        return 0;
    bytes->left--;
    return *bytes->at++;
}

int fuzz_choice(fuzz_bytes *bytes, int count)
{
    return fuzz_byte(bytes) % count;
}

double fuzz_bits(fuzz_bytes *bytes)
{
    uint64_t bits = 0;
    double number;
    for (int i = 0; i < 8; i++)
        bits = bits << 8 | fuzz_byte(bytes);
    memcpy(&number, &bits, sizeof number);
    return number;
}

double fuzz_number(fuzz_bytes *bytes)
{
    static const double special[] = {0,    1,     -1,    3.14159265358979, 1e-12, 5e-324, 1e-300,
                                     1e15, -1e15, 1e300, DBL_MAX,          0.5};
    enum { SPECIAL = sizeof special / sizeof *special };
    int kind = fuzz_byte(bytes);
    if (kind < 2 * SPECIAL)
        return special[kind / 2];
    // mostly of the size that real models have
    if (kind < 200)
        return ((double)fuzz_byte(bytes) - 128) / 32;
    double number = fuzz_bits(bytes);
    return isfinite(number) ? number : 0;
}

double fuzz_number_within(fuzz_bytes *bytes, double most)
{
    double number = fuzz_number(bytes);
    return fabs(number) <= most ? number : fmod(number, most);
}

double fuzz_any_number(fuzz_bytes *bytes)
{
    return fuzz_choice(bytes, 8) ? fuzz_number(bytes) : fuzz_bits(bytes);
}

lb_vec3 fuzz_vector(fuzz_bytes *bytes)
{
    lb_vec3 v = {fuzz_number(bytes), 0, 0};
    v.y = fuzz_number(bytes);
    v.z = fuzz_number(bytes);
    return v;
}

bool fuzz_write(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

bool fuzz_text_add(void *user, const void *text, size_t size)
{
    fuzz_text *to = user;
    if (size > to->room - to->size) {
        // by more than is needed: under the sanitizers each larger block is a copy
        size_t room = 2 * (to->size + size);
        char *larger = realloc(to->text, room);
        if (larger == NULL)
            return false;
        to->text = larger;
        to->room = room;
    }
    memcpy(to->text + to->size, text, size);
    to->size += size;
    return true;
}
