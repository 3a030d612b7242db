// The tool runner of Anthropic's SDK for Go, with its defaults: no limit of iterations.
// `driver whole` requests replies that do not stream.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/toolrunner"
)

type file struct {
	Path    string `json:"path" jsonschema:"required"`
	Content string `json:"content" jsonschema:"required"`
}
type result = anthropic.BetaToolResultBlockParamContentUnion

func write(_ context.Context, input file) (result, error) {
	if err := os.WriteFile(input.Path, []byte(input.Content), 0o644); err != nil {
		return result{}, err
	}
	return result{OfText: &anthropic.BetaTextBlockParam{Text: "Wrote " + input.Path + "."}}, nil
}

func main() {
	tool, err := toolrunner.NewBetaToolFromJSONSchema("write", "Write a text file.", write)
	if err != nil {
		log.Fatal(err)
	}
	client := anthropic.NewClient()
	tools := []anthropic.BetaTool{tool}
	params := anthropic.BetaToolRunnerParams{BetaMessageNewParams: anthropic.BetaMessageNewParams{
		Model:     anthropic.ModelClaudeSonnet5_5,
		MaxTokens: 1024,
		Messages: []anthropic.BetaMessageParam{
			anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("Write the file.")),
		},
	}}
	ctx := context.Background()
	if len(os.Args) > 1 && os.Args[1] == "whole" {
		message, err := client.Beta.Messages.NewToolRunner(tools, params).RunToCompletion(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(message.StopReason)
		return
	}
	for events := range client.Beta.Messages.NewToolRunnerStreaming(tools, params).AllStreaming(ctx) {
		for event, err := range events {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Print(event.Delta.Text)
		}
	}
}
