/// The part of llhttp that http1.cpp needs; only llhttp_door.cpp includes llhttp's header.
///
/// llhttp pauses at each thing to report, so its callbacks only record what it was.
#pragma once

#include "src/wire/http_message.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace smsrack::wire {

class LlhttpDoor {
public:
    enum class Stop : std::uint8_t {
        taken,        ///< all was taken, and more is needed
        head,         ///< request() has method and headers, head() the rest
        body,         ///< body() is a piece
        last_chunk,   ///< the size line of the chunk of size 0 was read
        message,      ///< the message is whole
        bad_version,  ///< refused, as is everything below
        bad,
    };
    struct Head {
        int major = 0;
        int minor = 0;
        std::string target = {};
        std::uint64_t content_length = 0;  ///< 0 where the body is chunked
        bool chunked = false;
        bool keep_alive = false;
    };

    LlhttpDoor();
    ~LlhttpDoor();
    LlhttpDoor(const LlhttpDoor&) = delete;
    LlhttpDoor& operator=(const LlhttpDoor&) = delete;

    /// Forgets everything: the next octet is the first of a message.
    void begin();

    /// Reads up to the next stop and drops from `input` what was read.
    [[nodiscard]] Stop run(std::string_view& input);

    [[nodiscard]] HttpRequest& request();
    [[nodiscard]] const Head& head() const;
    [[nodiscard]] std::string_view body() const;
    /// Octets still to come of the body, or of its chunk.
    [[nodiscard]] std::uint64_t body_left() const;

private:
    class Machine;
    std::unique_ptr<Machine> machine_;
};

}  // namespace smsrack::wire
