# SPDX-License-Identifier: Apache-2.0
"""Writing a file as the program does (c_model/common/outfile.h): regular and new files appear when
they are complete, links are followed, devices and pipes are written to directly, a file without any
write bit is an error."""

import os
import stat
import tempfile


def write(path, text):
    path = os.path.realpath(path)
    mode = None
    if os.path.exists(path):
        st = os.stat(path)
        if not stat.S_ISREG(st.st_mode):
            with open(path, "w") as f:
                f.write(text)
            return
        if not st.st_mode & 0o222:
            raise PermissionError(f"{path}: is read-only (it has no write bit)")
        mode = stat.S_IMODE(st.st_mode)
    if mode is None:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    fd, tmp = tempfile.mkstemp(prefix=".gmmu.", dir=os.path.dirname(path))
    try:
        with os.fdopen(fd, "w") as f:
            f.write(text)
            os.fchmod(f.fileno(), mode)
        os.replace(tmp, path)
    except BaseException:
        os.unlink(tmp)
        raise
