"""Opens a locked file as docs/formats.md describes it, sharing no code with the project.

Reads the container on standard input and the password from the first argument (hex of its UTF-8 bytes).
Prints the name in hex and the SHA-256 of the content. Needs only Python and libcrypto; --probe tells.
"""
import ctypes, ctypes.util, hashlib, struct, sys, unicodedata

crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
for name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_gcm"):
    getattr(crypto, name).restype = ctypes.c_void_p


def open_chunk(key, nonce, aad, sealed):
    """AES-256-GCM; 0x10 and 0x11 are EVP_CTRL_GCM_GET_TAG's and SET_TAG's numbers."""
    text, tag = sealed[:-16], sealed[-16:]
    out, n = ctypes.create_string_buffer(len(text) + 16), ctypes.c_int()
    ctx = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    crypto.EVP_DecryptInit_ex(ctx, ctypes.c_void_p(crypto.EVP_aes_256_gcm()), None, key, nonce)
    crypto.EVP_DecryptUpdate(ctx, None, ctypes.byref(n), aad, len(aad))
    crypto.EVP_DecryptUpdate(ctx, out, ctypes.byref(n), text, len(text))
    crypto.EVP_CIPHER_CTX_ctrl(ctx, 0x11, 16, tag)
    is_right = crypto.EVP_DecryptFinal_ex(ctx, out, ctypes.byref(n)) == 1
    crypto.EVP_CIPHER_CTX_free(ctx)
    if not is_right:
        raise SystemExit("a chunk does not verify")
    return out.raw[: len(text)]


def open_file(container, password):
    header, rest = container[:40], container[40:]
    magic, parameters, rounds, salt, prefix, reserved = struct.unpack(">8s4sI16s7sB", header)
    assert magic == b"\x89STL\r\n\x1a\n" and parameters == b"\x01\x01\x01\x10" and rounds == 600000 and reserved == 0
    key = hashlib.pbkdf2_hmac("sha256", unicodedata.normalize("NFC", password).encode(), salt, rounds, 32)
    chunks = [rest[:272]] + [rest[i : i + 65552] for i in range(272, len(rest), 65552)]
    opened = []
    for i, chunk in enumerate(chunks):
        nonce = prefix + struct.pack(">IB", i, i == len(chunks) - 1)
        opened.append(open_chunk(key, nonce, header, chunk))
    metadata, content = opened[0], b"".join(opened[1:])
    return metadata[1 : 1 + metadata[0]], content


if sys.argv[1] != "--probe":
    name, content = open_file(sys.stdin.buffer.read(), bytes.fromhex(sys.argv[1]).decode())
    print(name.hex(), hashlib.sha256(content).hexdigest())
