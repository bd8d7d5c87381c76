"""Sphinx: the documentation site. scripts/docs builds it; nothing in it is fetched from elsewhere."""

import re
from pathlib import Path

header = (Path(__file__).parent / ".." / "include" / "limber" / "base.h").read_text()

project = "limber"
author = "limber contributors"
copyright = author
version = release = ".".join(re.findall(r"#define LB_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
exclude_patterns = ["README.md"]

autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_typehints = "signature"
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "Floats": "ndarray"}
napoleon_numpy_docstring = True
napoleon_use_rtype = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True

html_theme = "furo"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_title = f"limber {version}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False

# constructors that users call; other objects are made by methods, which say how
CONSTRUCTED = {"BodyTask", "ContactPoint", "Contacts", "JointSetting", "Path", "Random", "Task"}


def skip_constructor(app, what, name, obj, skip, options):
    """Leaves out the constructors of what only the library makes."""
    owner = getattr(obj, "__qualname__", "").split(".")[0]
    return True if name == "__init__" and owner not in CONSTRUCTED else None


def setup(app):
    """Called by Sphinx."""
    app.connect("autodoc-skip-member", skip_constructor)
