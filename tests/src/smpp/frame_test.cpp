#include "src/smpp/frame.hpp"

#include "src/smpp/writer.hpp"
#include "tests/src/smpp/samples.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::smpp;

namespace {

/// The stream's PDUs, when it comes in pieces of `size`.
std::vector<std::string> split(std::string_view stream, std::size_t size) {
    Frames frames;
    std::vector<std::string> all;
    for (std::size_t at = 0; at < stream.size(); at += size) {
        frames.add(stream.substr(at, size));
        for (;;) {
            const auto frame = frames.next();
            REQUIRE(frame);
            if (!*frame) {
                break;
            }
            all.emplace_back(**frame);
        }
    }
    CHECK(frames.waiting() == 0);
    return all;
}

std::string begin_of(std::uint32_t length) {
    std::string octets;
    put_four(octets, length);
    put_four(octets, static_cast<std::uint32_t>(Command::submit_sm));
    put_four(octets, 0);
    put_four(octets, 77);
    return octets;
}

}  // namespace

TEST_CASE("Frames: the pieces in which a stream comes change nothing") {
    std::string stream;
    std::vector<std::string> wanted;
    for (const Pdu& pdu : samples()) {
        wanted.push_back(encode(pdu));
        stream += wanted.back();
    }
    for (const std::size_t size : {1U, 3U, 16U, 100U, 100'000U}) {
        CAPTURE(size);
        CHECK(split(stream, size) == wanted);
    }
}

TEST_CASE("Frames: a length that can't be ends the stream, with what the header says") {
    for (const std::uint32_t length : {0U, 15U, std::uint32_t{frame_max} + 1, 0xFFFF'FFFFU}) {
        CAPTURE(length);
        Frames frames;
        frames.add(begin_of(length));
        const auto frame = frames.next();
        REQUIRE_FALSE(frame);
        CHECK(frame.error() == Header{.command = Command::submit_sm, .sequence = 77});
    }
}

TEST_CASE("Frames: the longest PDU is whole with its last octet") {
    Frames frames;
    std::string longest = begin_of(frame_max);
    longest.resize(frame_max - 1);
    frames.add(longest);
    CHECK(frames.next().value() == std::nullopt);
    CHECK(frames.waiting() == frame_max - 1);
    frames.add("x");
    CHECK(frames.next().value().value().size() == frame_max);
}
