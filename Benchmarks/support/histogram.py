"""Reads HDR histograms in the compressed V2 encoding (http://hdrhistogram.org)."""

import base64
import struct
import zlib

COOKIE, COMPRESSED = 0x1C849303, 0x1C849304


class Histogram:
    """The counts of a histogram by the highest value of each bucket."""

    def __init__(self, text):
        data = base64.b64decode(text)
        cookie, length = struct.unpack(">II", data[:8])
        if cookie & ~0xF0 != COMPRESSED & ~0xF0:
            raise ValueError("no compressed V2 histogram")
        data = zlib.decompress(data[8:8 + length])
        cookie, size, _, digits, lowest, _, _ = struct.unpack(">IIIIqqd", data[:40])
        if cookie & ~0xF0 != COOKIE & ~0xF0:
            raise ValueError("no V2 histogram")
        magnitude = lowest.bit_length() - 1
        self._half = (2 * 10 ** digits - 1).bit_length() - 1
        self._unit = magnitude
        self.counts = []
        index, position, payload = 0, 0, data[40:40 + size]
        while position < len(payload):
            value, shift = 0, 0
            while True:
                byte = payload[position]
                position += 1
                # The ninth byte has eight bits.
                value |= (byte if shift == 56 else byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 or shift > 56:
                    break
            value = (value >> 1) ^ -(value & 1)
            if value < 0:
                index -= value
            else:
                if value:
                    self.counts.append((self._highest(index), value))
                index += 1
        self.count = sum(count for _, count in self.counts)

    def _highest(self, index):
        bucket = (index >> self._half) - 1
        sub = (index & ((1 << self._half) - 1)) + (1 << self._half)
        if bucket < 0:
            sub -= 1 << self._half
            bucket = 0
        shift = bucket + self._unit
        return (sub << shift) + (1 << shift) - 1

    def percentile(self, percent):
        """Returns the highest value of the bucket that contains the percentile."""
        rank = max(1, -(-percent * self.count // 100))
        seen = 0
        for value, count in self.counts:
            seen += count
            if seen >= rank:
                return value
        return 0
