/// The notes that are kept about a failed attempt, for operators.
///
/// Unit:    `text` has lines; it never contains PINs, and texts and numbers only if the
///          configuration asks for them.
#pragma once

#include "src/base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace smsrack::ports {

/// The numbers are stored: never change one.
enum class NoteKind : std::uint8_t {
    dialogue = 1,     ///< the last of the serial dialogue, up to the trouble
    diagnosis = 2,    ///< what the modem answered when asked what is wrong
    late_report = 3,  ///< a status report that came when the message had been given up
    self_sms = 4,     ///< where and when a self-SMS came in
};

/// Octets of a note: some forty lines of dialogue, four times what a submit has.
inline constexpr std::size_t note_octets_max = 4'096;

/// Notes of one attempt: its trouble, the answer that came late, a diagnosis, and one to spare.
inline constexpr std::size_t notes_max = 4;

struct AttemptNote {
    NoteKind kind = NoteKind::dialogue;
    WallTime at = {};
    std::string text = {};  ///< what is longer than note_octets_max loses its beginning
};

}  // namespace smsrack::ports
