/// The messages of a benchmark, as requests: they differ only in their number and their `ref`.
///
/// The octets are made once and patched in place, since the load generator shares the cores with
/// the program that it measures.
/// Unit:    serial below 100,000,000, from 0; each is its own recipient.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::rig {

/// 40 characters of the default alphabet.
inline constexpr std::string_view forty_letters = "Your code is 482913. Do not tell anyone.";

class MessageForm {
public:
    /// `run` distinguishes the refs of one run from those of another. No `priority`: the rack's
    /// default.
    explicit MessageForm(unsigned run, std::optional<unsigned> priority = {});

    /// A whole POST /v1/messages. Valid until the next call, as the line is.
    [[nodiscard]] std::string_view request(std::uint64_t serial);
    /// One line of NDJSON, with its end.
    [[nodiscard]] std::string_view line(std::uint64_t serial);

    /// "+33600000042".
    [[nodiscard]] static std::string recipient(std::uint64_t serial);

private:
    /// Octets that contain the serial twice.
    struct Patched {
        std::string octets;
        std::size_t to = 0;
        std::size_t ref = 0;
        std::string_view with(std::uint64_t serial);
    };
    [[nodiscard]] static Patched patched(std::string octets);

    Patched line_;
    Patched request_;
};

}  // namespace smsrack::rig
