/* srdf.c - what an SRDF says of a model: named states, and pairs of links that may touch. */
#include "../binding.h"

#include <limber/formats/srdf.h>

/* of a document as in binding.h; the model outlives it. NULL on failure */
lb_srdf *EXPORT(srdf_load)(const char *strings, const double *rows, int count,
                           const lb_model *model, int strict)
{
    const char *path;
    lb_srdf *srdf = NULL;
    lb_document *document = binding_document(strings, rows, count, &path);
    lb_load_options options = binding_load(strict);
    if (document == NULL)
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    else
        lb_document_srdf(document, path, model, &options, &srdf, &binding_error);
    lb_document_release(document);
    return srdf;
}
