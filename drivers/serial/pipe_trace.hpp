/// Listens to both directions of a pipe, for `log_level trace`.
///
/// PINs are masked before anyone sees them. LogTap also shortens PDUs and long numbers, since no
/// text and no full number belongs into a log.
///
/// Threads: those of the pipe.
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "src/base/log.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace smsrack::serial {

enum class Direction : std::uint8_t { from_modem, to_modem };

class PipeTap {
public:
    PipeTap() = default;
    PipeTap(const PipeTap&) = delete;
    PipeTap& operator=(const PipeTap&) = delete;
    virtual ~PipeTap() = default;

    /// The bytes as they went, PINs as '*'; the view ends with the call.
    virtual void heard(Direction direction, std::string_view bytes) = 0;
};

/// `tap` outlives the pipe.
[[nodiscard]] std::unique_ptr<BytePipe> traced(std::unique_ptr<BytePipe> pipe, PipeTap& tap);

/// Masks what follows +CPIN= (and the other commands that carry a PIN) up to the line's end,
/// however it is cut in pieces.
class PinMask {
public:
    void apply(std::span<char> bytes);

private:
    void next(char& byte);

    std::string recent_;  // the last characters of the line, as many as the longest command name
    bool masking_ = false;
};

/// One log line for each line of the dialogue.
class LogTap final : public PipeTap {
public:
    /// `log` outlives this object.
    LogTap(std::string modem, Log& log);

    void heard(Direction direction, std::string_view bytes) override;

private:
    void write(Direction direction, std::string& line);

    const std::string modem_;
    Log& log_;
    std::string from_modem_;  // unfinished lines, at most line_max characters
    std::string to_modem_;
};

}  // namespace smsrack::serial
