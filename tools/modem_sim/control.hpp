/// The control socket: one JSON object per line in, one per line out. docs/smsrack-sim.md lists the
/// commands.
///
/// Unit:    8 clients, lines of at most 64 KiB; a client that breaks a bound, or does not read
///          256 KiB of answers, is dropped.
/// Threads: the rack's.
#pragma once

#include "src/base/result.hpp"
#include "tools/modem_sim/descriptor.hpp"
#include "tools/modem_sim/poller.hpp"
#include "tools/modem_sim/rack.hpp"

#include <memory>
#include <string>
#include <vector>

namespace smsrack::modem_sim {

class Control final : public Ready {
public:
    Control(Poller& poller, Rack& rack) : poller_(poller), rack_(rack) {}
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;
    /// Removes the socket's file.
    ~Control() override;

    /// Listens at `path`; a stale socket there is replaced.
    [[nodiscard]] Result<> open(const std::string& path);

    /// A new client. Closes those that have gone.
    void on_ready(std::uint32_t events) override;

    /// A client sent quit.
    [[nodiscard]] bool quit() const { return quit_; }

private:
    class Client final : public Ready {
    public:
        Client(Control& control, Descriptor fd) : control_(control), fd_(std::move(fd)) {}
        void on_ready(std::uint32_t events) override;
        [[nodiscard]] int fd() const { return fd_.get(); }
        [[nodiscard]] bool gone() const { return gone_; }

    private:
        void take_lines();
        void flush();
        void leave();

        Control& control_;
        Descriptor fd_;
        std::string in_;
        std::string out_;
        bool gone_ = false;
    };

    Poller& poller_;
    Rack& rack_;
    Descriptor listening_;
    std::string path_;
    std::vector<std::unique_ptr<Client>> clients_;
    bool quit_ = false;
};

}  // namespace smsrack::modem_sim
