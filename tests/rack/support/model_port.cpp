#include "tests/rack/support/model_port.hpp"

#include "tools/modem_model/sms/tpdu.hpp"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace smsrack::test {
namespace {

class ModelPipe final : public serial::BytePipe {
public:
    ModelPipe(modem_sim::WiredModem& modem, std::string& pending, std::uint32_t& baud,
              const ManualClock& clock)
        : modem_(modem), clock_(clock), unplugs_(modem.unplugs()), pending_(pending), baud_(baud) {
        set_rate();
    }

    Result<std::size_t> read(std::span<char> into) override {
        if (gone()) {
            return fail(Errc::closed, "port: read");
        }
        if (pending_.empty()) {
            pending_ = modem_.take_received(clock_.steady());
        }
        const std::size_t size = std::min(into.size(), pending_.size());
        std::copy_n(pending_.begin(), size, into.begin());
        pending_.erase(0, size);
        return size;
    }
    Result<std::size_t> write(std::span<const char> bytes) override {
        if (gone()) {
            return fail(Errc::closed, "port: write");
        }
        modem_.host_wrote(clock_.steady(), {bytes.data(), bytes.size()});
        return bytes.size();
    }
    /// Any descriptor: its meaning is the line of the next source.
    [[nodiscard]] int duplicate() const override {
        return gone() ? -1 : ::open("/dev/null", O_RDWR | O_CLOEXEC);
    }

    [[nodiscard]] std::uint32_t baud() const override { return baud_; }
    [[nodiscard]] Result<> set_baud(std::uint32_t baud) override {
        baud_ = baud;
        set_rate();
        return {};
    }

private:
    [[nodiscard]] bool gone() const { return modem_.unplugs() != unplugs_; }
    /// As on the pseudo-terminals of smsrack-sim: the rates matter once one was changed.
    void set_rate() { modem_.host_baud(modem_.model().stats().rate_changes > 0 ? baud_ : 0); }

    modem_sim::WiredModem& modem_;
    const ManualClock& clock_;
    const unsigned unplugs_;  // when the port was opened
    std::string& pending_;
    std::uint32_t& baud_;
};

class ModelSource final : public serial::PipeSource {
public:
    ModelSource(modem_sim::WiredModem& modem, std::string& unread, std::uint32_t& baud,
                FlagWaiter& waiter, const ManualClock& clock)
        : modem_(modem), unread_(unread), baud_(baud), waiter_(waiter), clock_(clock) {}

    Result<std::unique_ptr<serial::BytePipe>> open(const serial::PortSettings& settings) override {
        if (!modem_.plugged()) {
            return fail(Errc::no_device, "port: no such device");
        }
        unread_.clear();
        if (settings.kept_baud == 0 || baud_ != settings.kept_baud) {
            baud_ = settings.baud;
        }
        return std::make_unique<ModelPipe>(modem_, unread_, baud_, clock_);
    }
    Result<std::unique_ptr<serial::BytePipe>> adopt(int fd) override {
        ::close(fd);
        return std::make_unique<ModelPipe>(modem_, unread_, baud_, clock_);
    }
    Waiter& waiter() override { return waiter_; }

private:
    modem_sim::WiredModem& modem_;
    std::string& unread_;
    std::uint32_t& baud_;
    FlagWaiter& waiter_;
    const ManualClock& clock_;
};

class ModelPower final : public ports::Power {
public:
    ModelPower(modem_sim::WiredModem& modem, const ManualClock& clock)
        : modem_(modem), clock_(clock) {}

    Result<> switch_to(bool on) override {
        modem_.inject(clock_.steady(),
                      {.kind = on ? modem_sim::FaultKind::replug : modem_sim::FaultKind::unplug});
        return {};
    }

private:
    modem_sim::WiredModem& modem_;
    const ManualClock& clock_;
};

}  // namespace

void ModelRack::add(modem_sim::ModemSettings settings, unsigned baud) {
    modems_.push_back(
        std::make_unique<modem_sim::WiredModem>(std::move(settings), baud, random_, journal));
    unread_.emplace_back();
    bauds_.push_back(0);
    waiters_.emplace_back();
    unplugs_.push_back(0);
}

std::unique_ptr<serial::PipeSource> ModelRack::port(std::size_t index) {
    return std::make_unique<ModelSource>(*modems_[index], unread_[index], bauds_[index],
                                         waiters_[index], clock_);
}

std::unique_ptr<ports::Power> ModelRack::power(std::size_t index) {
    return std::make_unique<ModelPower>(*modems_[index], clock_);
}

void ModelRack::forward(const Submitted& submit) {
    for (std::size_t i = 0; i < modems_.size(); ++i) {
        const auto& number = modems_[i]->model().core().settings.identity.number;
        if (number == submit.to && !loses_own_) {
            on_their_way_.emplace(
                submit.at + *forwards_after_,
                OnItsWay{.to = i,
                         .from = modems_[submit.modem]->model().core().settings.identity.number,
                         .pdu = submit.pdu});
        }
    }
}

bool ModelRack::calls(std::size_t index) {
    modem_sim::WiredModem& modem = *modems_[index];
    return std::exchange(unplugs_[index], modem.unplugs()) != modem.unplugs() ||
           !unread_[index].empty() || modem.step(clock_.steady()) <= clock_.steady();
}

SteadyTime ModelRack::step() {
    SteadyTime deadline = never;
    for (; forwards_after_ && looked_at_ < journal.submits.size(); ++looked_at_) {
        forward(journal.submits[looked_at_]);
    }
    while (!on_their_way_.empty() && on_their_way_.begin()->first <= clock_.steady()) {
        const OnItsWay& next = on_their_way_.begin()->second;
        const auto pdu = modem_sim::forwarded(next.pdu, next.from, clock_.wall());
        (void)modems_[next.to]->offer(clock_.steady(), {.from = next.from, .pdu = pdu.octets});
        on_their_way_.erase(on_their_way_.begin());
    }
    if (!on_their_way_.empty()) {
        deadline = on_their_way_.begin()->first;
    }
    for (const auto& modem : modems_) {
        const SteadyTime due = modem->step(clock_.steady());
        if (due > clock_.steady()) {  // else it waits for a host that has the port closed
            deadline = std::min(deadline, due);
        }
    }
    return deadline;
}

}  // namespace smsrack::test
