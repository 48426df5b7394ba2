# Opens images as Pillow does, in sRGB, upright and on white, and tells how far a conversion is from that.
# A line of standard input is an image and, behind a tab, its conversion or nothing; a line of JSON answers each.
# `avifdec` and `heif-convert` open what Pillow does not.
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from PIL import Image, ImageCms, ImageOps

warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = None
SRGB = ImageCms.createProfile("sRGB")
D65 = (0.3127, 0.329)
SRGB_POINTS = (*D65, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)


def open_heif(path):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.png")
        for program in ("heif-convert", "avifdec"):
            subprocess.run([program, path, out], timeout=30, capture_output=True)
            made = sorted(os.listdir(folder))
            if made:
                name = made[main_picture(path)] if len(made) > 1 else made[0]
                with open(os.path.join(folder, name), "rb") as file:
                    return Image.open(io.BytesIO(file.read()))
    raise ValueError("neither heif-convert nor avifdec opens it")


# heif-convert writes all pictures, in the order in which heif-info lists them.
def main_picture(path):
    listed = subprocess.run(["heif-info", path], timeout=30, capture_output=True, text=True).stdout
    pictures = re.findall(r"^image: .*$", listed, re.MULTILINE)
    return next((i for i, line in enumerate(pictures) if "primary" in line), 0)


def is_heif(path):
    with open(path, "rb") as file:
        return file.read(12)[4:8] == b"ftyp"


# Turned by the program that decodes it: Pillow turns a TIFF while it loads it.
def is_upright(path, image):
    return image.format in ("GIF", "TIFF") or is_heif(path)


# What libtiff says of data that it cannot read goes to standard error, and Pillow opens the image all the same.
@contextlib.contextmanager
def listening(complaints):
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            complaints.append(file.read(1))


def xyz(x, y):
    return np.array([x / y, 1, (1 - x - y) / y])


def to_xyz(points):
    columns = np.stack([xyz(*points[i : i + 2]) for i in (2, 4, 6)], axis=1)
    return columns * np.linalg.solve(columns, xyz(*points[:2]))


BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])


def adapt(points):
    gains = (BRADFORD @ xyz(*D65)) / (BRADFORD @ xyz(*points[:2]))
    return np.linalg.inv(BRADFORD) @ np.diag(gains) @ BRADFORD @ to_xyz(points)


def decode_srgb(v):
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def encode_srgb(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.clip(v, 0, None) ** (1 / 2.4) - 0.055)


# Pillow reads gamma and chromaticities of a PNG and leaves them unused.
def apply_gamma(pixels, info):
    gamma = info.get("gamma")
    points = info.get("chromaticity")
    near = not gamma or abs(gamma - 0.45455) < 0.006
    usual = not points or np.allclose(points, SRGB_POINTS, atol=0.003)
    if near and usual:
        return pixels
    v = pixels / 255
    light = decode_srgb(v) if near else v ** (1 / gamma)
    if not usual:
        light = np.clip(light @ (np.linalg.inv(to_xyz(SRGB_POINTS)) @ adapt(points)).T, 0, 1)
    return np.clip(encode_srgb(light), 0, 1) * 255


def to_8_bits(image):
    if image.mode.startswith("I;16") or image.mode == "I":
        return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).clip(0, 255).astype(np.uint8))
    return image


def in_srgb(image):
    icc = image.info.get("icc_profile")
    if not icc:
        return image, False
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    space = profile.profile.xcolor_space.strip()
    mode = {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK"}.get(space)
    if mode is None or (mode == "CMYK") != (image.mode == "CMYK"):
        return image, False
    base = image.convert(mode) if image.mode != mode else image
    made = ImageCms.profileToProfile(base, profile, SRGB, renderingIntent=0, outputMode="RGB")
    if "A" in image.getbands() or "transparency" in image.info:
        made.putalpha(image.convert("RGBA").getchannel("A"))
    return made, True


def pixels_of(path):
    complaints = []
    with listening(complaints):
        opened = open_heif(path) if is_heif(path) else Image.open(path)
        opened.load()
        info = dict(opened.info)
        opened.seek(0) if getattr(opened, "n_frames", 1) > 1 else None
    image = to_8_bits(opened if is_upright(path, opened) else ImageOps.exif_transpose(opened))
    image, is_managed = in_srgb(image)
    rgba = np.asarray(image.convert("RGBA")).astype(np.float32)
    colors = rgba[..., :3]
    if opened.format == "PNG" and not is_managed and "srgb" not in info:
        colors = apply_gamma(colors, info)
    alpha = rgba[..., 3:] / 255
    return colors * alpha + 255 * (1 - alpha), {
        "mode": opened.mode,
        "isManaged": is_managed or "gamma" in info,
        "complains": complaints != [b""],
    }


def compare(path, result):
    try:
        theirs, facts = pixels_of(path)
    except Exception as error:  # whatever Pillow throws, it does not open the file
        return {"refusal": type(error).__name__ + ": " + str(error)[:80]}
    if not result:
        return facts
    ours, _ = pixels_of(result)
    size = [ours.shape[1], ours.shape[0], theirs.shape[1], theirs.shape[0]]
    if ours.shape != theirs.shape:
        return {**facts, "size": size}
    return {**facts, "error": float(np.abs(ours - theirs).mean())}


for line in sys.stdin:
    path, _, result = line.rstrip("\n").partition("\t")
    print(json.dumps(compare(path, result)), flush=True)
