#include "drivers/serial/pipe_trace.hpp"

#include "drivers/serial/mask.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace smsrack::serial {
namespace {

/// The longest line kept together: the largest PDU is 352 digits.
constexpr std::size_t line_max = 512;

constexpr std::array<std::string_view, 4> secret_commands{"+CPIN=", "+CPWD=", "+CLCK=", "+CPIN2="};
constexpr std::size_t longest_command = 7;

class TracedPipe final : public BytePipe {
public:
    TracedPipe(std::unique_ptr<BytePipe> pipe, PipeTap& tap) : pipe_(std::move(pipe)), tap_(tap) {}

    [[nodiscard]] Result<std::size_t> read(std::span<char> into) override {
        auto got = pipe_->read(into);
        if (got && *got > 0) {
            tell(Direction::from_modem, from_modem_, into.first(*got));
        }
        return got;
    }

    [[nodiscard]] Result<std::size_t> write(std::span<const char> bytes) override {
        auto put = pipe_->write(bytes);
        if (put && *put > 0) {
            tell(Direction::to_modem, to_modem_, bytes.first(*put));
        }
        return put;
    }

    [[nodiscard]] int duplicate() const override { return pipe_->duplicate(); }
    [[nodiscard]] Result<> set_dtr(bool up) override { return pipe_->set_dtr(up); }

private:
    void tell(Direction direction, PinMask& mask, std::span<const char> bytes) {
        scratch_.assign(bytes.begin(), bytes.end());
        mask.apply(scratch_);
        tap_.heard(direction, scratch_);
    }

    std::unique_ptr<BytePipe> pipe_;
    PipeTap& tap_;
    PinMask from_modem_;  // the echo of a PIN is a PIN
    PinMask to_modem_;
    std::string scratch_;
};

}  // namespace

std::unique_ptr<BytePipe> traced(std::unique_ptr<BytePipe> pipe, PipeTap& tap) {
    return std::make_unique<TracedPipe>(std::move(pipe), tap);
}

void PinMask::apply(std::span<char> bytes) {
    for (char& byte : bytes) {
        next(byte);
    }
}

void PinMask::next(char& byte) {
    if (byte == '\r' || byte == '\n') {
        masking_ = false;
        recent_.clear();
    } else if (masking_) {
        byte = '*';
    } else {
        if (recent_.size() == longest_command) {
            recent_.erase(0, 1);
        }
        recent_ += static_cast<char>(std::toupper(static_cast<unsigned char>(byte)));
        masking_ = std::ranges::any_of(
            secret_commands, [this](std::string_view name) { return recent_.ends_with(name); });
    }
}

LogTap::LogTap(std::string modem, Log& log) : modem_(std::move(modem)), log_(log) {}

void LogTap::heard(Direction direction, std::string_view bytes) {
    std::string& line = direction == Direction::from_modem ? from_modem_ : to_modem_;
    for (const char byte : bytes) {
        switch (byte) {
            case '\r':
            case '\n':
            case '\x1a':
            case '\x1b':
                if (byte == '\x1a' || byte == '\x1b') {
                    line += byte == '\x1a' ? "<Ctrl-Z>" : "<ESC>";
                }
                write(direction, line);
                break;
            default:
                line += std::isprint(static_cast<unsigned char>(byte)) != 0 ? byte : '.';
                if (line == "> " || line.size() >= line_max) {
                    write(direction, line);
                }
        }
    }
}

void LogTap::write(Direction direction, std::string& line) {
    if (!line.empty()) {
        std::string shown;
        append_masked(shown, line);
        log_.write(LogLevel::trace,
                   direction == Direction::from_modem ? "at_from_modem" : "at_to_modem",
                   {{"modem", modem_}, {"line", shown}});
        line.clear();
    }
}

}  // namespace smsrack::serial
