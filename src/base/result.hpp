/// Result and Error: failures as values.
///
/// Whatever the world can cause is a Result<T>; whatever only our own bug can cause is
/// SMSRACK_CHECK.
///
/// Errors:  `context` never holds a message text, a full phone number, a PIN or another secret.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack {

/// One code where a caller acts differently; `errc_name` gives the word that the API shows.
enum class Errc : std::uint8_t {
    bad_request,      ///< the caller's input is wrong
    bad_number,       ///< the destination can't be a number
    bad_sender,       ///< no SIM of the rack has the number that shall send
    bad_encoding,     ///< text that is not valid UTF-8, or not in the alphabet asked for
    too_long,         ///< more segments than allowed
    duplicate,        ///< same number and text within the window
    ref_conflict,     ///< same ref, another body
    overloaded,       ///< try again after `retry_after`
    queue_full,       ///< a bound was reached; try again after `retry_after`
    quota_exhausted,  ///< a SIM has sent what it may; try again after `retry_after`
    unauthorized,
    forbidden,
    not_found,
    conflict,  ///< the thing is not in a state that allows this
    payload_too_large,
    storage,         ///< the disk is full or failing; nothing was accepted
    newer_database,  ///< the database was written by a later version
    damaged_database,
    timeout,
    closed,           ///< the other side, or we, went away
    outcome_unknown,  ///< the other side went away before it answered: it was done, or not
    cluster_away,  ///< the engine of the fleet does not answer, and clients are refused meanwhile
    busy,          ///< another process or user holds it
    no_device,     ///< port or modem is not there
    not_allowed,   ///< the operating system refuses
    protocol,      ///< the other side does not follow its standard
    bad_config,
    internal,
};

/// The stable word of a code, as in problem+json `code`.
[[nodiscard]] std::string_view errc_name(Errc code);

struct Error {
    Errc code = Errc::internal;
    int detail = 0;            ///< errno, +CMS ERROR number or SQLite code; 0: none
    std::string context = {};  ///< what and where, for people: "m3 +CMGS", "/dev/ttyS0: open"
    std::optional<std::chrono::milliseconds> retry_after = {};  ///< set where waiting helps
};

template <typename T = void>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(Errc code, std::string context, int detail = 0) {
    return std::unexpected(Error{.code = code, .detail = detail, .context = std::move(context)});
}

}  // namespace smsrack
