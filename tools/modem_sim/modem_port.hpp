/// One modem with its endpoints: the pseudo-terminal, and optionally an abstract socket.
///
/// While a client is on the socket the modem speaks there, else on the terminal; it hears both.
/// Unit:    at most 64 KiB wait for a host that does not read; what is more is lost, as on a
///          port without flow control.
/// Threads: the rack's.
#pragma once

#include "src/base/result.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/modem_model/wired_modem.hpp"
#include "tools/modem_sim/descriptor.hpp"
#include "tools/modem_sim/poller.hpp"
#include "tools/modem_sim/pty.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace smsrack::modem_sim {

class ModemPort {
public:
    struct Place {
        std::filesystem::path link;
        std::string abstract_name;  ///< empty: none
        bool strict_baud = false;   ///< see host_baud()
    };

    ModemPort(Poller& poller, Place place, ModemSettings settings, unsigned baud,
              std::uint64_t seed, Journal& journal);

    /// Opens the doors.
    [[nodiscard]] Result<> open();

    /// Lets the modem live up to `now` and passes on what it says. Returns the next deadline.
    SteadyTime step(SteadyTime now);

    /// `unplug`: the device disappears, and clients get a hang-up; `replug` fails where no other
    /// can be made.
    [[nodiscard]] Result<> inject(SteadyTime now, const Fault& fault);
    [[nodiscard]] bool plugged() const { return pty_.has_value(); }

    /// True once after the host wrote something, so that step() is wanted.
    [[nodiscard]] bool take_touched() { return std::exchange(touched_, false); }
    /// modem() was called: step() is needed.
    [[nodiscard]] WiredModem& modem() {
        touched_ = true;
        return modem_;
    }
    [[nodiscard]] const WiredModem& modem() const { return modem_; }

private:
    /// One descriptor of the port and what waits to be written to it.
    class Door final : public Ready {
    public:
        Door(ModemPort& port, bool is_socket) : port_(port), is_socket_(is_socket) {}
        void on_ready(std::uint32_t events) override;
        void write(std::string_view octets);
        [[nodiscard]] Result<> attach(int fd);
        void detach();
        /// Reads on, where the wire has room again.
        void resume();
        [[nodiscard]] bool attached() const { return fd_ >= 0; }

    private:
        void read_some();
        void flush();
        void want();

        ModemPort& port_;
        bool is_socket_;
        int fd_ = -1;
        bool paused_ = false;
        std::string waiting_;
    };
    class Listener final : public Ready {
    public:
        explicit Listener(ModemPort& port) : port_(port) {}
        void on_ready(std::uint32_t events) override;

    private:
        ModemPort& port_;
    };

    /// The rate that the host speaks at; 0: at the modem's, whatever it is. So does a client of the socket, and
    /// a terminal until the first AT+IPR changes a rate, unless it is strict: many programs use any rate.
    [[nodiscard]] unsigned host_baud() const;
    void close_doors();
    [[nodiscard]] Result<> open_pty();
    [[nodiscard]] Result<> open_socket();
    void drop_client();

    Poller& poller_;
    Place place_;
    SplitMix random_;
    WiredModem modem_;
    std::optional<Pty> pty_;
    Descriptor listening_;
    Descriptor client_;
    Door terminal_{*this, false};
    Door socket_{*this, true};
    Listener listener_{*this};
    bool touched_ = false;
};

}  // namespace smsrack::modem_sim
