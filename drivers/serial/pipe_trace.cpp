#include "drivers/serial/pipe_trace.hpp"

#include "drivers/serial/mask.hpp"

#include <cctype>
#include <string_view>
#include <utility>

namespace smsrack::serial {
namespace {

/// Of a line: the largest PDU is 352 digits. What is longer is cut there, as what follows may be part of a secret.
constexpr std::size_t line_max = 512;

/// What goes one way, line by line, however the bytes are cut.
class LoggedWay {
public:
    explicit LoggedWay(std::string_view event) : event_(event) {}

    void heard(std::string_view bytes, const std::string& modem, Log& log) {
        for (const char byte : bytes) {
            take(byte);
            if (is_end(byte) || line_ == "> ") {
                write(modem, log);
            }
        }
    }

private:
    static bool is_end(char byte) {
        return byte == '\r' || byte == '\n' || byte == '\x1a' || byte == '\x1b';
    }

    void take(char byte) {
        if (byte == '\x1a' || byte == '\x1b') {
            line_ += byte == '\x1a' ? "<Ctrl-Z>" : "<ESC>";
        } else if (!is_end(byte) && line_.size() < line_max) {
            line_ += std::isprint(static_cast<unsigned char>(byte)) != 0 ? byte : '.';
        }
    }

    void write(const std::string& modem, Log& log) {
        if (!line_.empty()) {
            std::string shown;
            append_masked(shown, line_);
            log.write(LogLevel::trace, event_, {{"modem", modem}, {"line", shown}});
            line_.clear();
        }
    }

    const std::string_view event_;
    std::string line_;  // unfinished
};

class TracedPipe final : public BytePipe {
public:
    TracedPipe(std::unique_ptr<BytePipe> pipe, std::string modem, Log& log)
        : pipe_(std::move(pipe)), modem_(std::move(modem)), log_(log) {}

    [[nodiscard]] Result<std::size_t> read(std::span<char> into) override {
        auto got = pipe_->read(into);
        if (got && *got > 0) {
            from_modem_.heard({into.data(), *got}, modem_, log_);
        }
        return got;
    }

    [[nodiscard]] Result<std::size_t> write(std::span<const char> bytes) override {
        auto put = pipe_->write(bytes);
        if (put && *put > 0) {
            to_modem_.heard({bytes.data(), *put}, modem_, log_);
        }
        return put;
    }

    [[nodiscard]] int duplicate() const override { return pipe_->duplicate(); }
    [[nodiscard]] Result<> set_dtr(bool up) override { return pipe_->set_dtr(up); }
    [[nodiscard]] std::uint32_t baud() const override { return pipe_->baud(); }
    [[nodiscard]] Result<> set_baud(std::uint32_t baud) override { return pipe_->set_baud(baud); }

private:
    const std::unique_ptr<BytePipe> pipe_;
    const std::string modem_;
    Log& log_;
    LoggedWay from_modem_{"at_from_modem"};
    LoggedWay to_modem_{"at_to_modem"};
};

}  // namespace

std::unique_ptr<BytePipe> traced(std::unique_ptr<BytePipe> pipe, std::string modem, Log& log) {
    return std::make_unique<TracedPipe>(std::move(pipe), std::move(modem), log);
}

}  // namespace smsrack::serial
