/// The last of the serial dialogue, in memory: what the channel said and heard, and what became of
/// the line.
///
/// PINs are masked before they are kept; PDUs, texts and numbers unless they were asked for.
/// Bound:   octets_max of text and lines_max lines, the oldest give way: some forty submits with
///          their reports, or ten minutes of an idle line.
/// Threads: the line's thread records, any reads; the lock is held for the copy of one line.
#pragma once

#include "drivers/at/line_class.hpp"
#include "src/base/clock.hpp"
#include "src/ports/dialogue.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace smsrack::gsm {

class FlightRecorder final : public ports::Dialogue {
public:
    static constexpr std::size_t octets_max = std::size_t{16} * 1024;
    static constexpr std::size_t lines_max = 512;
    static constexpr std::size_t line_max = 400;  // the largest PDU has 352 digits

    /// `clock` outlives this object.
    FlightRecorder(const Clock& clock, bool record_texts)
        : clock_(clock), record_texts_(record_texts) {}

    void wrote(std::string_view line);
    void heard(at::LineKind kind, std::string_view line);
    /// What became of the line: "draining", "no_port: the modem was unplugged".
    void became(std::string_view what);

    [[nodiscard]] std::string text(WallTime from, std::size_t octets) const override;

private:
    /// What was heard, by its at::LineKind, and what else is kept.
    enum class Sign : std::uint8_t { echo, prompt, information, result, urc, other, wrote, became };
    struct Entry {
        WallTime at = {};
        std::uint64_t begin = 0;  // counted from the first octet ever kept
        std::uint16_t length = 0;
        Sign sign = Sign::wrote;
    };

    void keep(Sign sign, std::string_view shown);
    void append_shown(std::string_view line);
    [[nodiscard]] bool is_whole(const Entry& entry) const {
        return entry.begin + octets_max >= octets_kept_;
    }
    [[nodiscard]] std::string shown(const Entry& entry) const;

    const Clock& clock_;
    const bool record_texts_;
    std::string scratch_;

    mutable std::mutex mutex_;  // guards what follows
    std::array<Entry, lines_max> entries_ = {};
    std::uint64_t lines_kept_ = 0;
    std::array<char, octets_max> octets_ = {};
    std::uint64_t octets_kept_ = 0;
};

}  // namespace smsrack::gsm
