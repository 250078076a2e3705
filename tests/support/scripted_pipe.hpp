/// A byte pipe without a port: a test puts bytes in, takes out what was written, and unplugs it.
#pragma once

#include "drivers/serial/byte_pipe.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::test {

/// Both ends of the wire; outlives the pipe that the driver holds.
struct Wire {
    std::string to_host = {};
    std::string from_host = {};
    bool plugged = true;
    std::size_t room = 1U << 20U;  ///< octets that the next writes take
    int opened = 0;
    bool has_dtr = false;
    std::uint32_t baud = 115'200;      ///< of the port
    std::uint32_t baud_max = 921'600;  ///< that it has
    std::optional<Error> open_error = {};
};

class ScriptedPipe final : public serial::BytePipe {
public:
    explicit ScriptedPipe(Wire& wire) : wire_(wire) {}

    [[nodiscard]] Result<std::size_t> read(std::span<char> into) override {
        if (!wire_.plugged) {
            return fail(Errc::closed, "scripted: unplugged");
        }
        const auto count = std::min(into.size(), wire_.to_host.size());
        std::copy_n(wire_.to_host.begin(), count, into.begin());
        wire_.to_host.erase(0, count);
        return count;
    }
    [[nodiscard]] Result<std::size_t> write(std::span<const char> bytes) override {
        if (!wire_.plugged) {
            return fail(Errc::closed, "scripted: unplugged");
        }
        const auto count = std::min(bytes.size(), wire_.room);
        wire_.from_host.append(bytes.data(), count);
        wire_.room -= count;
        return count;
    }
    /// Seen on the wire as a line of its own.
    [[nodiscard]] Result<> set_dtr(bool up) override {
        if (!wire_.has_dtr) {
            return BytePipe::set_dtr(up);
        }
        wire_.from_host += up ? "[dtr up]\r" : "[dtr down]\r";
        return {};
    }

    [[nodiscard]] std::uint32_t baud() const override { return wire_.baud; }
    /// The same.
    [[nodiscard]] Result<> set_baud(std::uint32_t baud) override {
        if (baud > wire_.baud_max) {
            return BytePipe::set_baud(baud);
        }
        wire_.baud = baud;
        wire_.from_host += "[" + std::to_string(baud) + " baud]\r";
        return {};
    }

private:
    Wire& wire_;
};

class ScriptedSource final : public serial::PipeSource {
public:
    explicit ScriptedSource(Wire& wire) : wire_(wire) {}

    [[nodiscard]] Result<std::unique_ptr<serial::BytePipe>> open(
        const serial::PortSettings& settings) override {
        ++wire_.opened;
        if (wire_.open_error) {
            return std::unexpected(*wire_.open_error);
        }
        if (!wire_.plugged) {
            return fail(Errc::no_device, settings.path + " is not there");
        }
        if (settings.kept_baud == 0 || wire_.baud != settings.kept_baud) {
            wire_.baud = settings.baud;
        }
        return std::make_unique<ScriptedPipe>(wire_);
    }
    [[nodiscard]] Waiter& waiter() override { return waiter_; }

private:
    /// Tests call step() themselves and never wait.
    class NoWaiter final : public Waiter {
    public:
        void wait_until(SteadyTime) override {}
        void wake() override {}
    };

    Wire& wire_;
    NoWaiter waiter_;
};

}  // namespace smsrack::test
