/// The memory budget of a server's sessions, in octets: of all together, and of one account.
///
/// An account may grow while it holds no more than what is free (a dynamic threshold): one account alone gets half of
/// the budget, n accounts get 1/(n+1) each, and there is always room left for the next one. A privileged account (an
/// administrator's) may use all that is free.
/// Unit:    octets of requests that have come, of answers not taken yet, and of what their authors hold for them.
/// Bound:   bytes_max, plus what answers turn out larger than HttpHandler::answer_bytes() said.
/// Threads: loop thread; a Share may be released on any thread, and after the budget.
/// Source:  Choudhury and Hahne, Dynamic queue length thresholds, IEEE/ACM ToN 6(2), 1998.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace smsrack::wire {

class SessionBudget {
    struct State {
        explicit State(std::size_t most) : bytes_max(most) {}
        const std::size_t bytes_max;
        std::mutex mutex = {};  // guards the rest
        std::size_t held = 0;
        std::unordered_map<std::uint32_t, std::size_t> accounts = {};  // those that hold something
        bool released = false;
    };

public:
    explicit SessionBudget(std::size_t bytes_max);

    /// What one session holds, or a request that outlives its session; gives it back when it goes.
    class Share {
    public:
        Share(const SessionBudget& budget, std::uint32_t account, bool privileged);
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() { hold(0); }

        /// Octets that the session may hold in addition.
        [[nodiscard]] std::size_t room() const;
        /// It holds this much from now on.
        void hold(std::size_t bytes);
        /// Of the same account, holding that much.
        [[nodiscard]] std::unique_ptr<Share> another(std::size_t bytes) const;

    private:
        struct SameAccount {};
        Share(SameAccount, const Share& share);

        const std::shared_ptr<State> state_;
        const std::uint32_t account_;
        const bool privileged_;
        std::size_t held_ = 0;
    };

    [[nodiscard]] std::size_t held() const;
    /// Whether a share has become smaller since the last call: sessions that wait for room look
    /// again.
    [[nodiscard]] bool take_released();

private:
    const std::shared_ptr<State> state_;
};

}  // namespace smsrack::wire
