/// A URC whose PDU line is still to come (+CMT, +CDS), and the pieces of that line.
///
/// Time:    limit after its header, which the PDU line follows at once; 352 digits take 0.4 s at 9600 baud.
/// Bound:   patience_max other lines may come before it: an answer of two lines and its final result, and one
///          more.
/// Threads: the line's thread.
#pragma once

#include "drivers/at/pdu_line.hpp"
#include "src/base/clock.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::at {

class UrcPdu {
public:
    static constexpr std::chrono::seconds limit{1};
    static constexpr int patience_max = 4;

    void begin(std::string_view header, SteadyTime now) {
        header_ = header;
        patience_ = patience_max;
        by_ = now + limit;
    }
    [[nodiscard]] bool is_open() const { return !header_.empty(); }
    /// When it is given up.
    [[nodiscard]] SteadyTime by() const { return by_; }
    [[nodiscard]] const std::string& header() const { return header_; }
    [[nodiscard]] const std::string& pieces() const { return pdu_; }
    [[nodiscard]] int patience() const { return patience_; }

    /// With this piece the PDU is whole.
    [[nodiscard]] bool ends_with(std::string_view piece) const {
        return pdu_fits(header_, pdu_ + std::string(piece));
    }
    /// True: it is whole.
    [[nodiscard]] bool add(std::string_view piece) {
        join(pdu_, piece);
        return pdu_fits(header_, pdu_);
    }
    /// Another line came between. True: it is given up.
    [[nodiscard]] bool is_passed_over() { return --patience_ == 0; }

    /// Header and PDU, or what came of it.
    [[nodiscard]] std::pair<std::string, std::string> take() {
        by_ = never;
        return {std::exchange(header_, {}), std::exchange(pdu_, {})};
    }
    void clear() { *this = {}; }
    /// As an earlier owner of the port left it.
    void resume(const std::string& header, const std::string& pieces, int patience,
                SteadyTime last_input) {
        header_ = header;
        pdu_ = pieces;
        patience_ = patience;
        by_ = is_open() ? last_input + limit : never;
    }

private:
    std::string header_;  // empty: there is none
    std::string pdu_;
    SteadyTime by_ = never;
    int patience_ = 0;
};

}  // namespace smsrack::at
