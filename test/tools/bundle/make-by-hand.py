"""Writes a bundle from the text of APPNOTE and docs/formats.md alone: make-by-hand.py OUT NAME=FILE..."""

import struct
import sys
import zlib


def make(entries):
    made, directory = b"", b""
    for name, data in entries:
        name = name.encode()
        fields = struct.pack("<HHHHIIIHH", 0x0800, 0, 0, 0x21, zlib.crc32(data), len(data), len(data), len(name), 0)
        directory += b"PK\1\2" + struct.pack("<HH", 0x032D, 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0o100600 << 16, len(made)) + name
        made += b"PK\3\4" + struct.pack("<H", 20) + fields + name + data
    end = struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), len(directory), len(made), 0)
    return made + directory + b"PK\5\6" + end


entries = [argument.split("=", 1) for argument in sys.argv[2:]]
with open(sys.argv[1], "wb") as out:
    out.write(make([(name, open(path, "rb").read()) for name, path in entries]))
