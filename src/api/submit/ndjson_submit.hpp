/// Many submits in one request, one per line. Each is answered after its commit, in the order of
/// the lines.
///
/// Bound:   what BulkWindow gives, at intake and the store; then the body is not read on. What the
///          client does not take of the answers stops the reading too (HttpLimits::stream_output_bytes_max). All of it
///          counts in the budget of the client's account.
/// Threads: loop thread.
#pragma once

#include "src/api/api.hpp"
#include "src/api/submit/bulk_window.hpp"
#include "src/api/submit/submitter.hpp"
#include "src/base/handover.hpp"
#include "src/base/result.hpp"
#include "src/ports/store.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/ndjson.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::api {

class NdjsonSubmit final : public std::enable_shared_from_this<NdjsonSubmit> {
public:
    [[nodiscard]] static std::unique_ptr<wire::BodyReader> begin(const ApiParts& parts,
                                                                 std::shared_ptr<BulkWindow> window,
                                                                 Caller caller,
                                                                 const wire::HttpRequest& head,
                                                                 wire::ResponderPtr responder);

    /// Resumes one that another process has begun, and keeps counting its lines. Null if the mark
    /// is not of this version: the connection is cut.
    [[nodiscard]] static bool is_mark(std::string_view mark);
    [[nodiscard]] static std::unique_ptr<wire::BodyReader> resume(
        const ApiParts& parts, std::shared_ptr<BulkWindow> window, Caller caller,
        std::string_view mark, wire::ResponderPtr responder);

    /// `client`: the Smsrack-Client of the header; may be empty.
    NdjsonSubmit(const ApiParts& parts, std::shared_ptr<BulkWindow> window, Caller caller,
                 std::string client, wire::ResponderPtr responder, wire::LinePlace place);

    void data(std::string_view piece);
    void end();
    void stopped();
    void aborted();

private:
    struct Slot {
        std::uint64_t line = 0;
        std::size_t bytes = 0;
        Sender sender = {};
        std::optional<Result<ports::Accepted>> answer = {};  ///< nullopt: not known yet
    };
    struct Answer {
        std::shared_ptr<NdjsonSubmit> of;
        std::uint64_t place = 0;
        Result<ports::Accepted> result;
    };

    void read_lines();
    [[nodiscard]] bool has_room();
    void take_line(const wire::LineSplitter::Line& line);
    void answered(std::uint64_t place, Result<ports::Accepted> result);
    void write_answers();
    void end_if_done();
    void say_where();
    void count_held();

    const ApiParts& parts_;
    wire::ResponderPtr responder_;
    const Caller caller_;
    const std::string client_;  // of the header: of each line that names none
    std::shared_ptr<Handover<Answer>> answers_;
    wire::LineSplitter splitter_;
    std::string held_;  // read and not yet split because there was no room, <= one read of the
                        // session
    BulkWindow::Place room_;
    std::deque<Slot> slots_;   // lines in flight, oldest first
    std::uint64_t first_ = 0;  // place of slots_.front()
    bool body_ended_ = false;
    bool gone_ = false;  // the client is gone; what is in flight continues
};

}  // namespace smsrack::api
