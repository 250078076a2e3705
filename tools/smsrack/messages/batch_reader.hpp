/// Reads the messages of a file for `send --file`: CSV with a header, or JSON Lines; the first line
/// decides which.
///
/// CSV columns: to, and text or data; on wish priority, ref, ttl_s, report, class, group, batch,
/// not_before, allow_duplicate. Empty cells are absent members. Blank lines don't count.
#pragma once

#include "tools/smsrack/messages/line_source.hpp"
#include "tools/smsrack/messages/message_fields.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::cli {

struct BatchItem {
    std::uint64_t line = 0;    ///< where it begins
    std::string request = {};  ///< JSON on one line, when `fault` is empty
    std::string fault = {};    ///< what is wrong, without the message's text
};

class BatchReader {
public:
    /// Reads the header. `defaults` go into members that a message does not have. `source` outlives
    /// the reader. bad_data: no header that can be used.
    [[nodiscard]] static Outcome<BatchReader> open(LineSource& source, MessageFields defaults);

    /// Nothing at the end.
    [[nodiscard]] std::optional<BatchItem> next();

private:
    BatchReader(LineSource& source, MessageFields defaults)
        : source_(&source), defaults_(std::move(defaults)) {}

    [[nodiscard]] Outcome<> read_header(const NumberedLine& line);
    [[nodiscard]] BatchItem json_item(const NumberedLine& line) const;
    [[nodiscard]] BatchItem csv_item(NumberedLine line);
    void make_request(const std::vector<std::string>& cells, BatchItem& item) const;

    LineSource* source_;
    MessageFields defaults_;
    std::vector<std::string> columns_;  // empty: JSON Lines
    char separator_ = ',';
};

}  // namespace smsrack::cli
